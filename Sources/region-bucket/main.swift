import CLinux
import Glibc

// Before anything of anybody's is in memory.
guard clinux_forbid_dumps() == 0 else {
  Terminal.complain("error: the system does not let this process forbid dumps of its memory")
  exit(ExitStatus.system.rawValue)
}
exit(CommandLineTool(arguments: Array(CommandLine.arguments.dropFirst())).run().rawValue)
