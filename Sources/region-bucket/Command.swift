/// The commands, and what `help` says of each.
enum Command: String, CaseIterable {
  case serve, check, explain, export, healthcheck, database, version, completion, help

  var summary: String {
    switch self {
    case .serve: "answer requests until told to stop"
    case .check: "read the configuration and say all that is wrong with it"
    case .explain: "show how a request would become a bucket, step by step"
    case .export: "write the policy as code for a CDN or proxy"
    case .healthcheck: "ask a running service whether it is ready"
    case .database: "build a database, or show what one is"
    case .version: "print the version"
    case .completion: "print completions for a shell"
    case .help: "print this, or a command's own help"
    }
  }

  static var overview: String {
    var text =
      "usage: region-bucket COMMAND [argument …]\n\nTells apps which market a user is in, and nothing else.\n\n"
    for command in allCases {
      text +=
        "  \(command.rawValue)\(String(repeating: " ", count: 14 - command.rawValue.count))\(command.summary)\n"
    }
    text += "\n'region-bucket help keys' prints every key of the configuration.\n\nExit status:\n"
    for status in ExitStatus.allCases {
      let number = String(status.rawValue)
      text += "  \(number)\(String(repeating: " ", count: 4 - number.count))\(status.meaning)\n"
    }
    return text
  }

  var help: String {
    switch self {
    case .serve:
      """
      usage: region-bucket serve [--config FILE] [--always BUCKET] [--KEY VALUE …]

      Answers requests until SIGTERM or SIGINT. SIGHUP reads configuration and database again.

        --always NAME  answer every request with this bucket: a stand-in for an app's developers and their tests, which
                       needs no configuration
        --config FILE  a JSON5 file; 'region-bucket help keys' describes every key
        --KEY VALUE    any key of the file as a flag: policy.regional is --policy-regional

      A key's environment variable, such as REGION_BUCKET_POLICY_REGIONAL, overrides the file, and its flag overrides
      both. PORT is taken for the port unless something else names one.

      """
    case .check:
      """
      usage: region-bucket check [--config FILE] [--KEY VALUE …] [--quiet]

      Reads the configuration as 'serve' would, opens the database, and prints all that is wrong or doubtful in one go;
      if it can be used, also what it comes to, without secrets.

        --quiet        print only what is wrong or doubtful

      """
    case .explain:
      """
      usage: region-bucket explain [--config FILE] [--KEY VALUE …] [--peer ADDRESS|unix] [--header 'NAME: VALUE' …]
             region-bucket explain [--config FILE] [--KEY VALUE …] < REQUEST

      Shows how a request would become a bucket: whom is believed, what each source says, and why. Nothing is logged or
      kept. Without --peer and --header it reads them from standard input, so that no address need stand in a shell's
      history: a line 'peer: ADDRESS' (default 127.0.0.1) and header lines, up to an empty line or the end. A request
      line before them, and the marks of 'curl -v', are skipped.

      """
    case .export:
      """
      usage: region-bucket export [--config FILE] [--KEY VALUE …] [--answer] TARGET

      Prints code that finds the bucket at the edge by the configured policy and passes it on with the policy's
      fingerprint, in edge.bucketHeader and edge.policyHeader. The code's first lines say how to install it. A new
      policy needs new code: until then the service counts the old code's buckets as absent.

        TARGET         cloudfront, cloudflare, fastly, varnish or nginx
        --answer       cloudfront and cloudflare: answer at the edge as the service would

      """
    case .healthcheck:
      """
      usage: region-bucket healthcheck [--config FILE] [--KEY VALUE …] [--url http://ADDRESS:PORT/readyz]

      Asks the service that the configuration describes, on this machine, for /readyz. Exit status 0: ready; 1: not
      ready; 69: no answer within 3 seconds.

        --url URL      ask there instead, whatever the configuration. ADDRESS is in digits, such as 127.0.0.1 or [::1],
                       or localhost, which is 127.0.0.1; no other name is looked up

      """
    case .database:
      """
      usage: region-bucket database build --output FILE [option …] INPUT …
             region-bucket database info FILE

      'build' makes a MaxMind-format country database of Debian's tor-geoipdb files, of 'network,country' CSV, or of
      geofeeds (RFC 8805); the format is told from the content.

        --output FILE       where to; written beside it and renamed, so that it is never half there
        --format NAME       tor-geoip, csv or geofeed, for every input
        --record-size BITS  24, 28 or 32; unless given, the smallest that fits
        --ip-version N      4 leaves IPv6 networks out and makes a smaller file; unless given, 6, which has both
        --source-date DAY   when the data was made, as 2026-01-31; unless given, the inputs' own word, or today. With it
                            the same inputs give the same bytes on any day
        --strict            refuse input with any bad line or overlap
        --type NAME         the database type; unless given, RegionBucket-Country, or -City
        --licence TEXT      for the description; known for tor-geoipdb
        --attribution TEXT  for the description; known for tor-geoipdb
        --quiet             no progress

      'info' prints type, build date, age, nodes, IP version and record size.

      """
    case .version: "usage: region-bucket version\n"
    case .completion:
      "usage: region-bucket completion bash|zsh\n\nFor example: source <(region-bucket completion bash)\n"
    case .help: Self.overview
    }
  }
}
