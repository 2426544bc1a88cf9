import AdPlan
import ClientTestSupport
import RegionModel
import Testing

@Suite struct PlanVectorTests {
  struct Row: Codable {
    let consent: ConsentState
    let bucket: RegionBucket
    let plan: [AdProvider]
    let lookups: Int
  }

  @Test func everyRow() async throws {
    let file = try VectorFile("plan", as: VectorRows<Row>.self)
    let rows = file.content.rows
    #expect(rows.count == ConsentState.allCases.count * RegionBucket.allCases.count)
    for row in rows {
      let lookups = Counter()
      let startup = await AdStartup {
        lookups.increment()
        return row.bucket
      }
      let plan = try await startup.enter(row.consent)
      #expect(plan.providers == row.plan, "\(row.consent), \(row.bucket)")
      #expect(lookups.count == row.lookups, "\(row.consent), \(row.bucket)")
    }
    file.ran(rows: rows.count)
  }

  @Test func anAppsOwnPolicy() async throws {
    // Global ads even while consent is pending, and the region asked only once it is given.
    let policy = AdPolicy { consent, region in
      switch consent {
      case .pending: [.global]
      case .externalAdsBlocked: []
      case .adsAllowed: region == .unknown ? [.inHouse] : [.regional]
      }
    }
    #expect(!policy.needsRegion(under: .pending))
    #expect(!policy.needsRegion(under: .externalAdsBlocked))
    #expect(policy.needsRegion(under: .adsAllowed))
    let startup = await AdStartup(policy: policy) { .otherMarket }
    #expect(try await startup.enter(.pending) == ProviderPlan(number: 1, providers: [.global]))
    #expect(try await startup.enter(.externalAdsBlocked) == ProviderPlan(number: 2, providers: []))
    #expect(try await startup.enter(.adsAllowed) == ProviderPlan(number: 3, providers: [.regional]))
  }

  @Test func onlyOneBucketDiffers() {
    for odd in RegionBucket.allCases {
      let policy = AdPolicy { _, region in region == odd ? [.inHouse] : [.global] }
      #expect(policy.needsRegion(under: .adsAllowed), "\(odd)")
    }
  }
}
