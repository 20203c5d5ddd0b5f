/// Who is where: people and places in slots, each person at one place or at none, each place with
/// those who are there in the order in which they came. The one state that counts, lists and
/// status are read from, in the check-in service and in every gateway.
///
/// A class, because a value would be taken out and put back, with a count for each of its arrays,
/// by every function that only looks into it.
///
/// A slot is a small number that is never given to anybody else. A person and a place that are gone
/// keep theirs, so that what tells of the past can name them.
package final class Presence {
  package typealias Slot = Int32

  package struct Person {
    package let id: ID
    /// Where the person is; nil: nowhere.
    package fileprivate(set) var place: Slot?
    /// When it came to be so, and the change that brought it; 0: never was anywhere.
    package fileprivate(set) var sinceMs: Int64 = 0
    package fileprivate(set) var revision: UInt64 = 0
    /// When the stay ends by itself; 0: never.
    package fileprivate(set) var expireMs: Int64 = 0
  }

  package struct Place {
    package let id: ID
    /// Those who are there, by when they came, then by id.
    package fileprivate(set) var members: [Slot] = [] {
      didSet { count = Int32(members.count) }
    }
    /// How many that are, beside the list and not behind it: whoever asks for the counts of a
    /// hundred thousand places would wait for memory at each.
    fileprivate private(set) var count: Int32 = 0
  }

  /// Where somebody is, and since when.
  package struct Stay: Equatable, Sendable {
    package var place: Slot?
    package var sinceMs: Int64
    package var revision: UInt64
    package var expireMs: Int64

    package init(place: Slot?, sinceMs: Int64, revision: UInt64, expireMs: Int64) {
      self.place = place
      self.sinceMs = sinceMs
      self.revision = revision
      self.expireMs = expireMs
    }
  }

  package private(set) var people: [Person] = []
  package private(set) var places: [Place] = []
  private var personIndex = SlotIndex()
  private var placeIndex = SlotIndex()
  /// The places where somebody is, by id.
  package private(set) var occupied: [Slot] = []
  /// How many are anywhere.
  package private(set) var total = 0
  /// Lists and counts are not kept yet.
  private var isLoading: Bool

  /// - Parameter isLoading: much is about to be set before anybody asks: lists and counts are made
  ///   by `finishLoading`, at once, instead of moving thousands of people up for each one.
  package init(isLoading: Bool = false) { self.isLoading = isLoading }

  /// All is set that was there before; from now on lists and counts hold.
  package func finishLoading() {
    precondition(isLoading, "what was loaded before would be there twice")
    isLoading = false
    for index in people.indices {
      guard let place = people[index].place else { continue }
      places[Int(place)].members.append(Slot(index))
      total += 1
    }
    for index in places.indices where !places[index].members.isEmpty {
      places[index].members.sort { order($0) < order($1) }
      occupied.append(Slot(index))
    }
    occupied.sort { places[Int($0)].id < places[Int($1)].id }
  }

  /// Makes room, where it is known how many will come.
  package func reserve(people: Int) {
    self.people.reserveCapacity(people)
    personIndex.reserve(people)
  }

  package func person(_ id: ID) -> Slot? {
    personIndex.find(id.slotHash) { people[Int($0)].id == id }
  }
  package func place(_ id: ID) -> Slot? {
    placeIndex.find(id.slotHash) { places[Int($0)].id == id }
  }
  package subscript(person slot: Slot) -> Person { people[Int(slot)] }
  package func id(ofPlace slot: Slot) -> ID { places[Int(slot)].id }
  /// Those who are there, by when they came, then by id.
  package func members(ofPlace slot: Slot) -> [Slot] { places[Int(slot)].members }
  /// How many are at a place.
  package func count(_ slot: Slot) -> Int { Int(places[Int(slot)].count) }

  /// All places where somebody is, in no order: as memory has them, which is fastest for a hundred
  /// thousand.
  package func forEachOccupied(_ body: (_ id: ID, _ count: Int) -> Void) {
    for index in places.indices where places[index].count > 0 {
      body(places[index].id, Int(places[index].count))
    }
  }

  /// A slot for somebody new, who is nowhere.
  package func addPerson(_ id: ID) -> Slot {
    let slot = Slot(people.count)
    people.append(Person(id: id))
    personIndex.add(slot, id.slotHash)
    return slot
  }

  package func addPlace(_ id: ID) -> Slot {
    let slot = Slot(places.count)
    places.append(Place(id: id))
    placeIndex.add(slot, id.slotHash)
    return slot
  }

  /// Nobody finds the person any more; the slot stays. The person must be nowhere.
  package func forgetPerson(_ slot: Slot) {
    precondition(people[Int(slot)].place == nil, "a deleted person would still be counted")
    personIndex.remove(slot, people[Int(slot)].id.slotHash)
  }

  /// Nobody finds the place any more; the slot stays. Nobody must be there.
  package func forgetPlace(_ slot: Slot) {
    precondition(places[Int(slot)].members.isEmpty, "people would be at a deleted place")
    placeIndex.remove(slot, places[Int(slot)].id.slotHash)
  }

  /// What holds of a person.
  package func stay(of slot: Slot) -> Stay {
    let person = people[Int(slot)]
    return Stay(
      place: person.place, sinceMs: person.sinceMs, revision: person.revision,
      expireMs: person.expireMs)
  }

  /// Makes something else hold of a person: an arrival, a leaving, a move, another end. One change:
  /// nobody is at two places in between, nor on a move at none.
  package func set(_ slot: Slot, _ stay: Stay) {
    let index = Int(slot)
    let old = people[index]
    let keepsPosition =
      isLoading || old.place == stay.place && old.sinceMs == stay.sinceMs
    if !keepsPosition, let place = old.place { remove(slot, from: place) }
    people[index].place = stay.place
    people[index].sinceMs = stay.sinceMs
    people[index].revision = stay.revision
    people[index].expireMs = stay.expireMs
    if !keepsPosition, let place = stay.place { insert(slot, into: place) }
  }

  private func insert(_ slot: Slot, into place: Slot) {
    let key = order(slot)
    // Time does not fall, so whoever comes is nearly always the last.
    var position = places[Int(place)].members.count
    let isFirst = position == 0
    if let last = places[Int(place)].members.last, key < order(last) {
      position = rank(key, in: places[Int(place)].members)
    }
    places[Int(place)].members.insert(slot, at: position)
    total += 1
    if isFirst { occupied.insert(place, at: occupiedRank(of: places[Int(place)].id)) }
  }

  private func remove(_ slot: Slot, from place: Slot) {
    let position = rank(order(slot), in: places[Int(place)].members)
    precondition(places[Int(place)].members[position] == slot, "a list has lost its order")
    places[Int(place)].members.remove(at: position)
    total -= 1
    if places[Int(place)].members.isEmpty {
      // A place that was deleted and came back with a backup has two slots with one id.
      var rank = occupiedRank(of: places[Int(place)].id)
      while occupied[rank] != place { rank += 1 }
      occupied.remove(at: rank)
    }
  }

  private func order(_ slot: Slot) -> (Int64, ID) {
    let person = people[Int(slot)]
    return (person.sinceMs, person.id)
  }

  private func rank(_ key: (Int64, ID), in members: [Slot]) -> Int {
    members.partitioningIndex { order($0) >= key }
  }

  /// Where a place stands, or would stand, among the occupied ones.
  package func occupiedRank(of id: ID) -> Int {
    occupied.partitioningIndex { places[Int($0)].id >= id }
  }

  /// Where in the list of a place those begin who stand after this position.
  package func rank(after sinceMs: Int64, _ id: ID, at place: Slot) -> Int {
    places[Int(place)].members.partitioningIndex { order($0) > (sinceMs, id) }
  }
}

extension Array {
  /// The index of the first element for which the condition holds, where it holds for all that
  /// follow too; binary search.
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
