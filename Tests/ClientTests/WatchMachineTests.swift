import Model
import Testing
import Wire

@testable import Client

private typealias Machine = WatchMachine<PeopleHere>

/// What happens at a time, what the machine does about it, and whom it shows then.
private struct Step {
  var atMs: Int
  var event: Machine.Event
  var actions: [Machine.Action]
  var shown: [String]
}

private func person(_ name: String) -> Person {
  // The name orders them, too: a came first.
  let number = Int64(name.utf8.first ?? 0)
  return Person(
    profileID: ID(high: 1, low: UInt64(number)), firstName: name, sinceMs: number)
}

/// "+a": a arrives; "-a": a leaves; "~a": a is edited.
private func changes(_ text: String) -> [HereChange] {
  text.split(separator: " ").map { word in
    let kind: HereChangeKind = word.first == "+" ? .arrived : word.first == "-" ? .left : .updated
    var person = person(String(word.dropFirst()))
    if kind == .updated { person.firstName += "'" }
    return HereChange(kind: kind, person: person)
  }
}

private func after(_ number: UInt64) -> Revisions { Revisions(checkIns: number) }

/// A response: what changes, how many are there then, at which state.
private func says(
  _ text: String, _ count: UInt32, at state: UInt64, reset: Bool = false, incomplete: Bool = false
) -> Machine.Event {
  .response(
    WatchResponse(
      reset: reset, incomplete: incomplete, changes: changes(text), count: count),
    asOf: after(state))
}

private func part(_ text: String, at state: UInt64, reset: Bool = false) -> Machine.Event {
  says(text, 9, at: state, reset: reset, incomplete: true)
}

private func run(_ mode: WatchMode, _ steps: [Step]) {
  var machine = Machine(mode: mode, heartbeatMs: 1_000, nowMs: 0)
  for (index, step) in steps.enumerated() {
    let actions = machine.handle(step.event, nowMs: step.atMs, chance: 1)
    #expect(actions == step.actions, "step \(index)")
    #expect(machine.content.people.map(\.firstName) == step.shown, "step \(index)")
  }
}

private let lost = Machine.Action.tell(.stale(why: "the connection was lost"))
private let silent = Machine.Action.tell(.stale(why: "nothing was heard for 3 s"))
private let missed = Machine.Action.tell(.stale(why: "something was missed"))

@Suite struct WatchMachineTests {
  /// A stream that has begun and shows a and b at state 5.
  private let begun = [
    Step(atMs: 0, event: .time, actions: [.begin(after: nil)], shown: []),
    Step(
      atMs: 1, event: says("+a +b", 2, at: 5, reset: true), actions: [.tell(.whole)],
      shown: ["a", "b"]),
  ]

  @Test("G1: first what is true now, an empty list too, then every change in the order of arrival")
  func current() {
    run(
      .unspecified,
      [
        Step(atMs: 0, event: .time, actions: [.begin(after: nil)], shown: []),
        Step(atMs: 1, event: says("", 0, at: 5, reset: true), actions: [.tell(.whole)], shown: []),
        Step(atMs: 2, event: says("+b", 1, at: 6), actions: [.tell(.changed)], shown: ["b"]),
        Step(
          atMs: 3, event: says("+a +c -b", 2, at: 9), actions: [.tell(.changed)],
          shown: ["a", "c"]),
        Step(atMs: 4, event: says("~c", 2, at: 9), actions: [.tell(.changed)], shown: ["a", "c'"]),
        Step(atMs: 900, event: says("", 2, at: 12), actions: [], shown: ["a", "c'"]),
      ])
  }

  @Test("G3: a reset voids what was shown, and a state is shown when it is complete, not before")
  func reset() {
    run(
      .unspecified,
      begun + [
        Step(atMs: 2, event: part("+c", at: 7, reset: true), actions: [], shown: ["a", "b"]),
        Step(atMs: 3, event: part("+d", at: 7), actions: [], shown: ["a", "b"]),
        Step(
          atMs: 4, event: says("+e", 3, at: 7), actions: [.tell(.whole)], shown: ["c", "d", "e"]),
        // Another reset within one that is not complete voids what came of it.
        Step(atMs: 5, event: part("+x", at: 8, reset: true), actions: [], shown: ["c", "d", "e"]),
        Step(atMs: 6, event: part("+y", at: 9, reset: true), actions: [], shown: ["c", "d", "e"]),
        Step(atMs: 7, event: says("+z", 2, at: 9), actions: [.tell(.whole)], shown: ["y", "z"]),
        // And one within a change that comes in parts.
        Step(atMs: 8, event: part("+k", at: 10), actions: [], shown: ["y", "z"]),
        Step(
          atMs: 9, event: says("+m", 1, at: 11, reset: true), actions: [.tell(.whole)],
          shown: ["m"]),
      ])
  }

  @Test("Changes in parts are one change, and one that comes twice is no second person")
  func parts() {
    run(
      .unspecified,
      begun + [
        Step(atMs: 2, event: part("+c", at: 6), actions: [], shown: ["a", "b"]),
        Step(
          atMs: 3, event: says("-a +c", 2, at: 6), actions: [.tell(.changed)], shown: ["b", "c"]),
      ])
  }

  @Test("G3: a list that is not as long as it should be is read anew, each time after a pause")
  func inconsistent() {
    run(
      .unspecified,
      begun + [
        Step(
          atMs: 10, event: says("+c", 4, at: 6), actions: [.cancel, missed],
          shown: ["a", "b", "c"]),
        Step(atMs: 10, event: .time, actions: [.begin(after: nil)], shown: ["a", "b", "c"]),
        Step(
          atMs: 20, event: says("+a", 2, at: 7, reset: true), actions: [.cancel], shown: ["a"]),
        Step(atMs: 219, event: .time, actions: [], shown: ["a"]),
        Step(atMs: 220, event: .time, actions: [.begin(after: nil)], shown: ["a"]),
        Step(
          atMs: 230, event: says("+a +c", 2, at: 8, reset: true),
          actions: [.tell(.whole), .tell(.current)], shown: ["a", "c"]),
      ])
  }

  @Test("A lost connection: it goes on after the last complete state, and says that it was stale")
  func connectionLost() {
    run(
      .unspecified,
      begun + [
        Step(
          atMs: 2, event: says("+c", 3, at: 6), actions: [.tell(.changed)], shown: ["a", "b", "c"]),
        Step(atMs: 3, event: part("-a", at: 7), actions: [], shown: ["a", "b", "c"]),
        Step(atMs: 10, event: .lost, actions: [lost], shown: ["a", "b", "c"]),
        Step(atMs: 10, event: .time, actions: [.begin(after: after(6))], shown: ["a", "b", "c"]),
        // Again, before anything was heard: once is enough to be told, and it waits.
        Step(atMs: 20, event: .lost, actions: [], shown: ["a", "b", "c"]),
        Step(atMs: 100, event: .time, actions: [], shown: ["a", "b", "c"]),
        Step(atMs: 220, event: .time, actions: [.begin(after: after(6))], shown: ["a", "b", "c"]),
        Step(
          atMs: 230, event: says("-a", 2, at: 7), actions: [.tell(.changed), .tell(.current)],
          shown: ["b", "c"]),
      ])
  }

  @Test("Where it cannot go on, it begins with a reset, and the list is right again")
  func resumedByReset() {
    run(
      .unspecified,
      begun + [
        Step(atMs: 10, event: .lost, actions: [lost], shown: ["a", "b"]),
        Step(atMs: 10, event: .time, actions: [.begin(after: after(5))], shown: ["a", "b"]),
        Step(
          atMs: 20, event: says("+x", 1, at: 3, reset: true),
          actions: [.tell(.whole), .tell(.current)], shown: ["x"]),
        Step(atMs: 30, event: .lost, actions: [lost], shown: ["x"]),
        Step(atMs: 30, event: .time, actions: [.begin(after: after(3))], shown: ["x"]),
      ])
  }

  @Test("Silence of over three heartbeats ends the stream; three of them do not")
  func silence() {
    run(
      .unspecified,
      begun + [
        Step(atMs: 2_000, event: says("", 2, at: 5), actions: [], shown: ["a", "b"]),
        Step(atMs: 5_000, event: .time, actions: [], shown: ["a", "b"]),
        Step(atMs: 5_001, event: .time, actions: [.cancel, silent], shown: ["a", "b"]),
        Step(atMs: 5_001, event: .time, actions: [.begin(after: after(5))], shown: ["a", "b"]),
        // The next one says nothing either, from when it began on.
        Step(atMs: 8_001, event: .time, actions: [], shown: ["a", "b"]),
        Step(atMs: 8_002, event: .time, actions: [.cancel], shown: ["a", "b"]),
        Step(atMs: 8_202, event: .time, actions: [.begin(after: after(5))], shown: ["a", "b"]),
        Step(
          atMs: 8_300, event: says("", 2, at: 5), actions: [.tell(.current)], shown: ["a", "b"]),
      ])
  }

  @Test("A heartbeat within a state that is not complete is a sign of life, and shows nothing")
  func heartbeatWithin() {
    run(
      .unspecified,
      [
        Step(atMs: 0, event: .time, actions: [.begin(after: nil)], shown: []),
        Step(atMs: 2_900, event: part("+a", at: 5, reset: true), actions: [], shown: []),
        Step(atMs: 5_000, event: .time, actions: [], shown: []),
        Step(
          atMs: 5_100, event: says("+b", 2, at: 5), actions: [.tell(.whole)], shown: ["a", "b"]),
      ])
  }

  @Test(
    "What ends a stream for good is told, what passes is tried again, not before it makes sense",
    arguments: [
      (Status(.draining, "It stops."), 0), (Status(.starting, "Not yet.", retryAfterMs: 400), 400),
      (Status(.tooManyWatches, "Too many."), 0), (Status(.deadlineExceeded, "Late."), 0),
      (Status(.notCaughtUp, "Behind."), 0), (Status(.locationNotFound, "It is deleted."), -1),
      (Status(.notAllowed, "You may not."), -1), (Status(.unknownMethod, "Never heard of."), -1),
      (Status(.cancelled, "As you say."), -1), (Status([]), -1),
    ])
  func ends(status: Status, pauseMs: Int) {
    guard pauseMs >= 0 else {
      return run(
        .unspecified,
        begun + [
          Step(
            atMs: 10, event: .refused(status), actions: [.tell(.ended(status))], shown: ["a", "b"]),
          Step(atMs: 9_999, event: .time, actions: [], shown: ["a", "b"]),
          Step(atMs: 9_999, event: says("+c", 3, at: 6), actions: [], shown: ["a", "b"]),
        ])
    }
    let why = String(status.message.dropLast())
    run(
      .unspecified,
      begun + [
        Step(
          atMs: 10, event: .refused(status), actions: [.tell(.stale(why: why))], shown: ["a", "b"]),
        Step(
          atMs: 10 + pauseMs, event: .time, actions: [.begin(after: after(5))], shown: ["a", "b"]),
      ])
  }

  @Test("A log that was restored or compacted is asked for what is now")
  func outOfRange() {
    run(
      .unspecified,
      begun + [
        Step(
          atMs: 10, event: .refused(Status(.logRestored, "It was restored.")),
          actions: [.tell(.stale(why: "It was restored"))], shown: ["a", "b"]),
        Step(atMs: 10, event: .time, actions: [.begin(after: nil)], shown: ["a", "b"]),
      ])
  }

  @Test("G1: pass through tells what happens from now on, and says when it missed something")
  func passThrough() {
    run(
      .passThrough,
      [
        Step(atMs: 0, event: .time, actions: [.begin(after: nil)], shown: []),
        Step(atMs: 1, event: says("", 40, at: 5), actions: [], shown: []),
        Step(atMs: 2, event: says("+a", 41, at: 6), actions: [.tell(.changed)], shown: []),
        Step(atMs: 3, event: .lost, actions: [lost], shown: []),
        Step(atMs: 3, event: .time, actions: [.begin(after: after(6))], shown: []),
        Step(
          atMs: 4, event: says("-a", 40, at: 7), actions: [.tell(.changed), .tell(.current)],
          shown: []),
        Step(atMs: 5, event: part("+x", at: 9, reset: true), actions: [], shown: []),
        Step(atMs: 6, event: says("+y", 2, at: 9), actions: [.tell(.missed)], shown: []),
        Step(atMs: 7, event: says("-x", 1, at: 10), actions: [.tell(.changed)], shown: []),
      ])
  }

  @Test("E2: counts are kept by place, zeros are none, and their sum is the total that is told")
  func counts() {
    let (a, b) = (ID(high: 2, low: 1), ID(high: 2, low: 2))
    var machine = WatchMachine<Counts>(mode: .unspecified, heartbeatMs: 1_000, nowMs: 0)
    func tell(_ counts: [(ID, UInt32)], total: UInt64, reset: Bool = false) -> [String] {
      let response = WatchResponse(
        reset: reset, counts: counts.map { LocationCount(locationID: $0.0, count: $0.1) },
        total: total)
      return machine.handle(.response(response, asOf: after(1)), nowMs: 1, chance: 0).map {
        "\($0)"
      }
    }
    #expect(machine.handle(.time, nowMs: 0, chance: 0).count == 1)
    #expect(tell([(a, 3), (b, 1)], total: 4, reset: true) == ["tell(Client.WatchNews.whole)"])
    #expect(tell([(b, 0), (a, 4)], total: 4) == ["tell(Client.WatchNews.changed)"])
    #expect(machine.content.byPlace == [a: 4])
    #expect(machine.content.total == 4)
    #expect(machine.staleSinceMs == nil)
    #expect(tell([(b, 1)], total: 4).contains("cancel"))
    #expect(machine.staleSinceMs == 1)
  }
}
