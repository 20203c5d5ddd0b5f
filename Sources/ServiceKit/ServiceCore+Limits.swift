import Model

/// What one caller may make a process hold.
extension ServiceCore {
  /// That the caller has not too much in flight, nor too much that it has not read.
  func checkLimits(_ call: CallHandle) throws(Refusal) {
    let connection = calls[call].connection
    // What is under way is finished: a delete needs an answer of whoever follows its log.
    if isDraining && !calls[call].header.isOfFollower {
      throw draining
    }
    if !calls[call].header.actingUser.isEmpty || !connections.isFollower(connection) {
      let load = calls.loadOfCaller(call)
      if load.calls > Limits.callsInFlightPerCaller {
        throw Refusal(
          .tooManyCalls, "More than \(Limits.callsInFlightPerCaller) calls are in flight.",
          retryAfterMs: 100)
      }
      if load.bodyByteCount > Limits.bytesInFlightPerCaller {
        throw Refusal(
          .tooManyCalls,
          "The calls in flight hold more than \(Limits.bytesInFlightPerCaller) bytes.",
          retryAfterMs: 100)
      }
    }
    if connections.unsentByteCount(connection) > Limits.unreadResponsesBytes {
      throw unread
    }
  }

  var draining: Refusal {
    Refusal(.draining, "The server is shutting down.", retryAfterMs: 1_000)
  }

  /// What a caller is told who does not read.
  var unread: Refusal {
    Refusal(.overloaded, "The responses to earlier calls have not been read.", retryAfterMs: 100)
  }
}
