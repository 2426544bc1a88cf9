/// How the program ends. Values as in sysexits.h, which service managers and shells know.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// The answer is no: `healthcheck` of a service that is not ready.
  case failure = 1
  /// EX_USAGE: the command line is wrong.
  case usage = 64
  /// EX_DATAERR: an input file is not what it should be.
  case badData = 65
  /// EX_NOINPUT: an input file cannot be read.
  case noInput = 66
  /// EX_UNAVAILABLE: an address cannot be listened on, or a service does not answer.
  case unavailable = 69
  /// EX_OSERR: the system refused something else.
  case system = 71
  /// EX_CANTCREAT: an output file cannot be written.
  case cannotCreate = 73
  /// EX_CONFIG: the configuration cannot be used.
  case badConfiguration = 78

  /// What operators read of it.
  var meaning: String {
    switch self {
    case .success: "success"
    case .failure: "the answer is no: the service is not ready"
    case .usage: "the command line is wrong"
    case .badData: "an input file is not what it should be"
    case .noInput: "an input file cannot be read"
    case .unavailable: "an address cannot be listened on, or a service does not answer"
    case .system: "the system refused something"
    case .cannotCreate: "an output file cannot be written"
    case .badConfiguration: "the configuration cannot be used"
    }
  }
}
