// Prints the plan for every consent and region, and how often the region was asked.
import AdPlan
import RegionModel

/// Counts what a start-up asks; on the main actor, like the start-up.
@MainActor final class Lookups {
  private(set) var count = 0
  func next(_ bucket: RegionBucket) -> RegionBucket {
    count += 1
    return bucket
  }
}

func row(_ cells: [String]) -> String {
  let widths = [20, 16, 9]
  return zip(cells, widths + [0]).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined()
}

print(row(["consent", "region", "lookups", "providers"]))
for consent in ConsentState.allCases {
  for bucket in RegionBucket.allCases {
    let lookups = Lookups()
    let startup = AdStartup { await lookups.next(bucket) }
    let plan = try await startup.enter(consent)
    // Entered a second time it hands the same plan out, and asks nothing.
    let again = try await startup.enter(consent)
    precondition(again == plan)
    let providers = plan.providers.map(\.rawValue).joined(separator: ", ")
    print(row([consent.rawValue, bucket.rawValue, String(lookups.count), providers]))
  }
}
