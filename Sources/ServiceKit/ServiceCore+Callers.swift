package import Keys
import Model
import Wire
import ZeroMQ

/// What a process makes of whoever sent a call.
enum Standing: Equatable {
  /// It says who it is, and is believed.
  case believed
  /// Whose key is known. Another process of Muster says for whom it calls; anybody else is who the
  /// list of allowed keys says.
  case known(PublicKey)
  /// Nobody knows who it is, and it is not believed.
  case stranger
  /// Its key was taken away, since it connected.
  case revoked
}

/// Who is calling, and whose calls end.
extension ServiceCore {
  /// What is made of a call's sender. Where the key is known, the header says whose from then on.
  func standing(
    of sender: Sender, _ header: inout RequestHeader, _ violations: inout [FieldViolation],
    _ now: Moment
  ) -> Standing {
    switch sender {
    case .plain where options.trustsClients: return .believed
    case .plain, .unknown:
      header.actingUser = ""
      return .stranger
    case .key(let key):
      guard let known = allowedKeys.find(key, atMs: now.wallMs) else {
        header.actingUser = ""
        return .revoked
      }
      if known.isPeer { return .known(key) }
      let why = "With a key it stays empty: the list of keys says who calls."
      if !header.actingUser.isEmpty {
        violations.append(FieldViolation(field: "header.acting_user", description: why))
      }
      if !header.actingRoles.isEmpty {
        violations.append(FieldViolation(field: "header.acting_roles", description: why))
      }
      header.actingUser = known.user
      header.actingRoles = known.roles
      return .known(key)
    }
  }

  /// - Throws: `NO_IDENTITY`, `KEY_REVOKED`.
  func checkStanding(of call: CallHandle) throws(Refusal) {
    switch calls[call].standing {
    case .believed, .known: return
    case .stranger:
      throw Refusal(
        .noIdentity,
        "This endpoint believes nobody: come by TCP with a key, or start the gateway with "
          + "--trust-clients.")
    case .revoked: throw revoked
    }
  }

  private var revoked: Refusal { Refusal(.keyRevoked, "This key is no longer allowed.") }

  /// Lets in whoever has one of these keys from now on. What others have begun to watch ends.
  package func allow(_ keys: AllowedKeys, at now: Moment) {
    tell(now)
    allowedKeys = keys
    for stream in calls.handles(where: { $0.isStream && hasLost($0, now) }) {
      _ = attendance.left(calls[stream].connection)
      refuse(stream, revoked, now)
    }
  }

  /// Whether a call's key is not allowed any more, or for somebody else, or for other roles.
  private func hasLost(_ call: Call, _ now: Moment) -> Bool {
    guard case .known(let key) = call.standing else { return false }
    guard let known = allowedKeys.find(key, atMs: now.wallMs) else { return true }
    return !known.isPeer
      && (known.user != call.header.actingUser || known.roles != call.header.actingRoles)
  }
}
