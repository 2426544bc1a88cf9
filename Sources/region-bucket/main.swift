import Glibc

exit(CommandLineTool(arguments: Array(CommandLine.arguments.dropFirst())).run().rawValue)
