import CFuzzer
import Glibc

// `--target=NAME` and libFuzzer's own arguments. libFuzzer passes over what begins with `--`, and hands it on to the
// processes that it starts.
let prefix = "--target="
let named = CommandLine.arguments.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
guard let target = FuzzTarget.all.first(where: { $0.name == named ?? "" }) else {
  for target in FuzzTarget.all { print(target.name) }
  exit(named == nil ? 0 : 64)
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&count, &arguments, target.run))
