import CZeroMQ

/// Where libzmq holds secret keys for as long as it needs them.
package enum Memory {
  /// From now on the process leaves no core, and only the superuser can look into it. False: the
  /// kernel refuses.
  package static func keepPrivate() -> Bool { muster_keep_memory_private() == 0 }
}
