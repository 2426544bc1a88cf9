/// What is measured: a closed set, each with fixed labels. A test holds the list in the documents against it.
package enum MetricFamily: CaseIterable, Sendable {
  case decisions, unknown, answers, sharing, staleEdge, shadow, originSecret
  case connectionsOpen, connectionsAccepted, connectionsRefused, connectionsTimedOut
  case reloads, databaseBuild, databaseAge, policy, shadowPolicy, duration, logLinesDropped, build

  /// Its name, type and help.
  package var description: (name: String, type: String, help: String) {
    switch self {
    case .decisions:
      ("region_bucket_decisions_total", "counter", "Decisions by bucket and by the source that settled it.")
    case .unknown: ("region_bucket_unknown_total", "counter", "Decisions for unknown by reason.")
    case .answers: ("region_bucket_answers_total", "counter", "Answers by status.")
    case .sharing:
      ("region_bucket_sharing_total", "counter", "Decisions that the CDN in front may share, and others.")
    case .staleEdge:
      ("region_bucket_stale_edge_total", "counter", "Buckets that edge code computed by another policy.")
    case .shadow:
      (
        "region_bucket_shadow_total", "counter",
        "Decisions by bucket, and by the bucket of the shadow policy."
      )
    case .originSecret:
      (
        "region_bucket_origin_secret_total", "counter",
        "Decisions on requests that carried the first origin secret, or another."
      )
    case .connectionsOpen: ("region_bucket_connections_open", "gauge", "Connections that are open.")
    case .connectionsAccepted:
      ("region_bucket_connections_accepted_total", "counter", "Connections that were accepted.")
    case .connectionsRefused:
      ("region_bucket_connections_refused_total", "counter", "Connections that were refused, by reason.")
    case .connectionsTimedOut:
      (
        "region_bucket_connections_timed_out_total", "counter",
        "Connections that were cut, by what took too long."
      )
    case .reloads:
      (
        "region_bucket_reloads_total", "counter",
        "Times that configuration or database was read again, by result."
      )
    case .databaseBuild:
      ("region_bucket_database_build_timestamp_seconds", "gauge", "When the database in use was made.")
    case .databaseAge: ("region_bucket_database_age_seconds", "gauge", "How old the database in use is.")
    case .policy: ("region_bucket_policy_info", "gauge", "The fingerprint of the policy in force.")
    case .shadowPolicy: ("region_bucket_shadow_policy_info", "gauge", "The fingerprint of the shadow policy.")
    case .duration:
      (
        "region_bucket_request_duration_seconds", "histogram",
        "From reading a request to having sent its answer."
      )
    case .logLinesDropped:
      ("region_bucket_log_lines_dropped_total", "counter", "Log lines lost since the sink was slow or gone.")
    case .build: ("region_bucket_build_info", "gauge", "The version of the program.")
    }
  }
}
