/// What goes wrong in a run, each kind switched on by its name and counted.
enum Fault: String, CaseIterable {
  /// A connection is lost, and what is under way on it.
  case cut
  /// Nothing gets through to a process or from it for a while, and then all at once.
  case partition
  /// A watcher does not read for a while.
  case deaf
  /// A process is asked to end: it answers what is in flight, and closes its database.
  case stop
  /// A process is killed: what it has written stays, synced or not.
  case kill
  /// A process and what its disk had not synced are gone; of that any part may be there.
  case powerCut = "power-cut"
  /// All three services lose their power at once.
  case blackout
  /// A process dies in the middle of a write or a sync, now and then with its power.
  case crashInWrite = "crash-in-write"
  /// A process stands still for a while.
  case freeze
  /// A write to the disk fails.
  case writeError = "write-error"
  /// A sync fails.
  case syncError = "sync-error"
  /// The disk is full for a while.
  case diskFull = "disk-full"
  /// A disk takes long to sync for a while.
  case slowDisk = "slow-disk"
  /// The time of day jumps.
  case clockJump = "clock-jump"
  /// A message of a feed does not reach a follower.
  case feedDrop = "feed-drop"
  /// A request is sent twice at once, through two gateways.
  case double
  /// A request is sent again long after its answer.
  case lateRepeat = "late-repeat"
  /// A caller gives up before the answer.
  case giveUp = "give-up"

  /// Those that happen at a moment of their own, and not along the way.
  static let planned: [Fault] = [
    .cut, .partition, .deaf, .stop, .kill, .powerCut, .blackout, .crashInWrite, .freeze,
    .writeError,
    .syncError, .diskFull, .slowDisk, .clockJump,
  ]
}
