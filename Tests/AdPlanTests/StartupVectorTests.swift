import AdPlan
import ClientTestSupport
import RegionModel
import Testing

@Suite struct StartupVectorTests {
  struct Row: Codable {
    let name: String
    let steps: [Step]
    let plans: [[AdProvider]]
  }

  struct Step: Codable {
    let event: Event
    let waiter: String?
    let consent: ConsentState?
    let lookup: Int?
    let bucket: RegionBucket?
    let lookups: Int
    let answered: [String: Int]
  }

  enum Event: String, Codable {
    case enter, answer, cancel, reset
  }

  @Test func everyRow() throws {
    let file = try VectorFile("startup", as: VectorRows<Row>.self)
    #expect(!file.content.rows.isEmpty)
    for row in file.content.rows { try run(row) }
    file.ran(rows: file.content.rows.count)
  }

  private func run(_ row: Row) throws {
    var state = StartupState(policy: .standard)
    var numbers: [String: Int] = [:]
    var plans: [Int: [AdProvider]] = [:]
    for (index, step) in row.steps.enumerated() {
      let lookupsBefore = state.lookups
      let effects = try effects(of: step, on: &state, &numbers)
      var answered: [String: Int] = [:]
      var begun = 0
      for effect in effects {
        switch effect {
        case .lookUp(let lookup):
          begun += 1
          #expect(lookup == lookupsBefore + begun, "\(row.name), step \(index)")
        case .answer(let waiter, let plan):
          let name = try #require(numbers.first { $0.value == waiter }?.key)
          #expect(answered.updateValue(plan.number, forKey: name) == nil, "\(row.name): twice")
          plans[plan.number] = plan.providers
        }
      }
      #expect(answered == step.answered, "\(row.name), step \(index)")
      #expect(
        state.lookups == step.lookups && begun == state.lookups - lookupsBefore, "\(row.name), step \(index)")
    }
    let expected = Dictionary(uniqueKeysWithValues: row.plans.enumerated().map { ($0 + 1, $1) })
    #expect(plans == expected, "\(row.name)")
  }

  private func effects(
    of step: Step, on state: inout StartupState, _ numbers: inout [String: Int]
  ) throws -> [StartupState.Effect] {
    switch step.event {
    case .enter:
      let waiter = numbers.count + 1
      numbers[try #require(step.waiter)] = waiter
      return state.enter(waiter: waiter, consent: try #require(step.consent))
    case .answer: return state.lookedUp(try #require(step.lookup), try #require(step.bucket))
    case .cancel:
      let waiter = try #require(step.waiter)
      state.leave(waiter: try #require(numbers[waiter]))
      return []
    case .reset: return state.reset()
    }
  }
}
