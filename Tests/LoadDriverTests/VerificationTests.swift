import Testing

@testable import LoadDriver

@Suite("Verification")
struct VerificationTests {
  /// Two people and two places: person 0 went to 0 and on to 1, person 1 to 0.
  private var ledger: Ledger {
    var ledger = Ledger(profiles: 3, clients: 2)
    ledger.acknowledge(0, Whereabouts(location: 0, revision: 11), changed: true, client: 0)
    ledger.acknowledge(1, Whereabouts(location: 0, revision: 12), changed: true, client: 1)
    ledger.acknowledge(0, Whereabouts(location: 1, revision: 13), changed: true, client: 0)
    return ledger
  }

  /// What a system shows that has kept all that.
  private var evidence: Evidence {
    var evidence = Evidence()
    evidence.log = [
      .init(revision: 11, profile: 0, from: nil, to: 0),
      .init(revision: 12, profile: 1, from: nil, to: 0),
      .init(revision: 13, profile: 0, from: 0, to: 1),
    ]
    evidence.firstRevision = 10
    evidence.lastRevision = 13
    evidence.people = [
      0: Whereabouts(location: 1, revision: 13), 1: Whereabouts(location: 0, revision: 12),
    ]
    evidence.lists = [[1], [0]]
    evidence.counts = [1, 1]
    return evidence
  }

  private func faults(_ ledger: Ledger, _ change: (inout Evidence) -> Void = { _ in }) -> [String] {
    var evidence = evidence
    change(&evidence)
    return Verification(ledger, evidence).results().filter { !$0.holds }.map(\.name)
  }

  @Test("A system that kept everything passes every check, and says how much was looked at")
  func kept() {
    let results = Verification(ledger, evidence).results()
    #expect(results.allSatisfy { $0.holds })
    #expect(results.map(\.checked) == [5, 2, 2, 3, 0])
  }

  @Test("C1: a check-in that was acknowledged and is not there is found")
  func lost() {
    let name = "no acknowledged check-in lost"
    let back = faults(ledger) { $0.people[0] = Whereabouts(location: 0, revision: 11) }
    #expect(back.contains(name))
    #expect(faults(ledger) { $0.people[1] = nil }.contains(name))
    let elsewhere = faults(ledger) { $0.people[1]?.location = 1 }
    #expect(elsewhere.contains(name))
    #expect(faults(ledger) { $0.log?[1].to = 1 } == [name])
    let another = faults(ledger) { $0.log?[2].profile = 2 }
    #expect(another.contains(name))
  }

  @Test("A ledger that says more than was done is found out")
  func doctored() {
    var doctored = ledger
    doctored.acknowledge(2, Whereabouts(location: 1, revision: 14), changed: true, client: 0)
    #expect(faults(doctored) == ["no acknowledged check-in lost"])
  }

  @Test("A newer state is explained by a write that was never answered, or by the end of a stay")
  func unknownOutcome() {
    let moved = { (evidence: inout Evidence) in
      evidence.people[0] = Whereabouts(location: nil, revision: 14)
      evidence.lists = [[1], []]
      evidence.counts = [1, 0]
      evidence.log?.append(.init(revision: 14, profile: 0, from: 1, to: nil))
      evidence.lastRevision = 14
    }
    #expect(faults(ledger, moved) == ["no acknowledged check-in lost"])
    var unsure = ledger
    unsure.loseSight(of: 0, goingTo: nil)
    #expect(faults(unsure, moved).isEmpty)
    let expired = { (evidence: inout Evidence) in
      moved(&evidence)
      evidence.mayExpire = true
    }
    #expect(faults(ledger, expired).isEmpty)
    var elsewhere = ledger
    elsewhere.loseSight(of: 0, goingTo: 0)
    #expect(faults(elsewhere, moved) == ["no acknowledged check-in lost"])
  }

  @Test("C2: a person at two places is found")
  func twoPlaces() {
    let twice = faults(ledger) {
      $0.lists = [[1, 0], [0]]
      $0.counts = [2, 1]
    }
    #expect(twice == ["one place a person"])
    #expect(faults(ledger) { $0.lists[1] = [] }.contains("one place a person"))
  }

  @Test("E2: a count that is not the length of its list is found")
  func counts() {
    #expect(faults(ledger) { $0.counts[1] = 2 } == ["counts equal lists"])
  }

  @Test("A gap in the revisions is found, wherever it is")
  func gaps() {
    let name = "revisions without gaps"
    #expect(faults(ledger) { $0.firstRevision = 9 } == [name])
    #expect(faults(ledger) { $0.lastRevision = 14 } == [name])
    let without = faults(ledger) { $0.log?.remove(at: 1) }
    #expect(without.contains(name))
    #expect(faults(ledger) { $0.log?[2].from = 1 } == [name])
    #expect(faults(ledger) { $0.log = nil }.isEmpty)
  }

  @Test("A read that is older than the reader's own write is found, and another's is none")
  func staleReads() {
    var ledger = ledger
    let floor = ledger.floor(client: 0, profile: 0)
    #expect(floor.checkIns == 13 && floor.person == Whereabouts(location: 1, revision: 13))
    #expect(ledger.floor(client: 1, profile: 0).person == nil)
    ledger.note(
      .status, asOf: 13, person: Whereabouts(location: 1, revision: 13), floor: floor)
    #expect(faults(ledger).isEmpty)
    for (asOf, person) in [
      (12, nil), (13, Whereabouts(location: 0, revision: 11)),
      (13, Whereabouts(location: 0, revision: 13)),
    ] as [(UInt64, Whereabouts?)] {
      var stale = ledger
      stale.note(.status, asOf: asOf, person: person, floor: floor)
      #expect(faults(stale) == ["reads not older than own writes"])
    }
  }
}
