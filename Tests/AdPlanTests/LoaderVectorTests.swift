import AdPlan
import ClientTestSupport
import Testing

@Suite struct LoaderVectorTests {
  struct File: Codable {
    let timeoutMilliseconds: [String: Int]
    let rows: [Row]
  }

  struct Row: Codable {
    let name: String
    let plan: [AdProvider]
    let steps: [Step]
    let calls: [Call]
    let dropped: [Step]
    let result: Call?
  }

  struct Step: Codable, Equatable {
    let at: Int
    let event: Event
    let provider: AdProvider?
  }

  struct Call: Codable, Equatable {
    let at: Int
    let provider: AdProvider
  }

  enum Event: String, Codable {
    case start, success, failure, cancel, wait
  }

  @Test func everyRow() throws {
    let file = try VectorFile("loader", as: File.self)
    #expect(!file.content.rows.isEmpty)
    let timeouts = try Dictionary(
      uniqueKeysWithValues: file.content.timeoutMilliseconds.map { name, milliseconds in
        let provider = try #require(AdProvider(rawValue: name))
        return (provider, Duration.milliseconds(milliseconds))
      })
    for row in file.content.rows { try run(row, timeouts) }
    file.ran(rows: file.content.rows.count)
  }

  private func run(_ row: Row, _ timeouts: [AdProvider: Duration]) throws {
    var state = LoaderState(plan: row.plan, timeouts: timeouts)
    var log = Log()
    for step in row.steps {
      let at = Duration.milliseconds(step.at)
      // The clock passes every moment at which something falls due.
      while let deadline = state.deadline, deadline <= at {
        log.take(state.handle(.wait, at: deadline), step.at)
        try #require(
          state.deadline != deadline, "\(row.name): the clock is at the deadline, and nothing fell due")
      }
      log.take(state.handle(try event(step), at: at), step.at)
    }
    #expect(log.calls == row.calls, "\(row.name)")
    #expect(log.dropped == row.dropped, "\(row.name)")
    #expect(log.results == (row.result.map { [$0] } ?? []), "\(row.name)")
  }

  private func event(_ step: Step) throws -> LoaderState.Event {
    switch step.event {
    case .start: .start
    case .success: .success(try #require(step.provider))
    case .failure: .failure(try #require(step.provider))
    case .cancel: .cancel
    case .wait: .wait
    }
  }

  private struct Log {
    var calls: [Call] = []
    var dropped: [Step] = []
    var results: [Call] = []

    mutating func take(_ actions: [LoaderState.Action], _ now: Int) {
      for action in actions {
        switch action {
        case .ask(let provider, let at): calls.append(Call(at: at.milliseconds, provider: provider))
        case .expire: break
        case .drop(.success(let provider)):
          dropped.append(Step(at: now, event: .success, provider: provider))
        case .drop(.failure(let provider)):
          dropped.append(Step(at: now, event: .failure, provider: provider))
        case .drop(let event): Issue.record("\(event) dropped")
        case .finish(nil, _): break
        case .finish(let provider?, let at):
          results.append(Call(at: at.milliseconds, provider: provider))
        }
      }
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
