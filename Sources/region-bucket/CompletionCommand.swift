import EdgeExport
import ServiceConfig

/// `region-bucket completion bash|zsh`: made of the same tables as the help.
struct CompletionCommand {
  let arguments: [String]

  func run() -> ExitStatus {
    switch arguments {
    case ["bash"]: Terminal.write(Self.bash, to: 1)
    case ["zsh"]:
      // zsh runs bash's completions when asked to.
      Terminal.write("autoload -U +X bashcompinit && bashcompinit\n" + Self.bash, to: 1)
    default: return CommandLineTool.usageError("'completion' takes 'bash' or 'zsh'", command: "completion")
    }
    return .success
  }

  private static var bash: String {
    let commands = Command.allCases.map(\.rawValue).joined(separator: " ")
    let keys = (["--config"] + ConfigKey.allCases.map(\.flag)).joined(separator: " ")
    return """
      _region_bucket() {
        local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
        local keys="\(keys)"
        local words
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(commands)"
        else
          case $command in
            serve) words="$keys --always" ;;
            check) words="$keys --quiet" ;;
            explain) words="$keys --peer --header" ;;
            export) words="$keys --answer \(EdgeTarget.allCases.map(\.rawValue).joined(separator: " "))" ;;
            healthcheck) words="$keys --url" ;;
            database)
              words="build info --output --format --record-size --ip-version --source-date --strict --type --licence"
              words="$words --attribution --quiet" ;;
            completion) words="bash zsh" ;;
            help) words="\(commands) keys" ;;
          esac
        fi
        case $current in
          -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
          *) COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current")) ;;
        esac
      }
      complete -o filenames -F _region_bucket region-bucket

      """
  }
}
