import CZeroMQ

/// An option of a socket, with the type that its value has: what is not offered cannot be set.
/// Each is described in zmq_setsockopt(3).
package struct SocketOption<Value: Sendable>: Sendable {
  let number: Int32
  let name: String

  private init(_ number: Int32, _ name: String) {
    self.number = number
    self.name = name
  }
}

extension SocketOption where Value == Int64 {
  /// Bytes of the largest frame taken from a peer; a larger one costs it the connection.
  package static var maxMessageSize: Self { Self(ZMQ_MAXMSGSIZE, "ZMQ_MAXMSGSIZE") }
}

extension SocketOption where Value == Int32 {
  /// Milliseconds for which what is not yet sent outlives a closed socket.
  package static var linger: Self { Self(ZMQ_LINGER, "ZMQ_LINGER") }
  /// Messages that wait to be sent, for each peer.
  package static var sendHighWater: Self { Self(ZMQ_SNDHWM, "ZMQ_SNDHWM") }
  /// Messages that wait to be received, for each peer.
  package static var receiveHighWater: Self { Self(ZMQ_RCVHWM, "ZMQ_RCVHWM") }
  /// 1: sending to a peer that is gone or full is told. Cannot be read back.
  package static var routerMandatory: Self { Self(ZMQ_ROUTER_MANDATORY, "ZMQ_ROUTER_MANDATORY") }
  /// 1: a second peer with the same id takes over the first. Cannot be read back.
  package static var routerHandover: Self { Self(ZMQ_ROUTER_HANDOVER, "ZMQ_ROUTER_HANDOVER") }
  /// Milliseconds within which a peer must have shaken hands.
  package static var handshakeIntervalMs: Self { Self(ZMQ_HANDSHAKE_IVL, "ZMQ_HANDSHAKE_IVL") }
  /// Milliseconds between two heartbeats; 0: none.
  package static var heartbeatIntervalMs: Self { Self(ZMQ_HEARTBEAT_IVL, "ZMQ_HEARTBEAT_IVL") }
  /// Milliseconds without an answer to a heartbeat after which a connection is dropped.
  package static var heartbeatTimeoutMs: Self {
    Self(ZMQ_HEARTBEAT_TIMEOUT, "ZMQ_HEARTBEAT_TIMEOUT")
  }
  /// 1: TCP asks from time to time whether the other machine still lives.
  package static var tcpKeepAlive: Self { Self(ZMQ_TCP_KEEPALIVE, "ZMQ_TCP_KEEPALIVE") }
  /// Seconds of silence before TCP asks.
  package static var tcpKeepAliveIdleS: Self {
    Self(ZMQ_TCP_KEEPALIVE_IDLE, "ZMQ_TCP_KEEPALIVE_IDLE")
  }
  /// Seconds between two of TCP's questions.
  package static var tcpKeepAliveIntervalS: Self {
    Self(ZMQ_TCP_KEEPALIVE_INTVL, "ZMQ_TCP_KEEPALIVE_INTVL")
  }
  /// Questions without an answer after which TCP gives up.
  package static var tcpKeepAliveCount: Self {
    Self(ZMQ_TCP_KEEPALIVE_CNT, "ZMQ_TCP_KEEPALIVE_CNT")
  }
  /// What can be done with it now, as bits. Read only; asking makes libzmq look at what came in.
  static var events: Self { Self(ZMQ_EVENTS, "ZMQ_EVENTS") }
  /// A descriptor, readable while there is news that libzmq has not taken note of. Read only.
  static var fileDescriptor: Self { Self(ZMQ_FD, "ZMQ_FD") }
  /// 1: messages are queued for connections that are up, and for no others.
  package static var immediate: Self { Self(ZMQ_IMMEDIATE, "ZMQ_IMMEDIATE") }
  /// Milliseconds before the first attempt to connect again.
  package static var reconnectIntervalMs: Self { Self(ZMQ_RECONNECT_IVL, "ZMQ_RECONNECT_IVL") }
  /// Milliseconds that the wait between attempts grows to; 0: it does not grow.
  package static var reconnectIntervalMaxMs: Self {
    Self(ZMQ_RECONNECT_IVL_MAX, "ZMQ_RECONNECT_IVL_MAX")
  }
  /// 1: this end holds the secret key that clients know the public half of.
  package static var curveServer: Self { Self(ZMQ_CURVE_SERVER, "ZMQ_CURVE_SERVER") }
  /// Which mechanism is in use: 0 none, 1 plain, 2 CURVE. Read only.
  package static var mechanism: Self { Self(ZMQ_MECHANISM, "ZMQ_MECHANISM") }
}

extension SocketOption where Value == String {
  /// The name under which a bound socket asks the `ZAPHandler`; empty: nobody is asked.
  package static var zapDomain: Self { Self(ZMQ_ZAP_DOMAIN, "ZMQ_ZAP_DOMAIN") }
  /// The endpoint of the last bind, with the port that was chosen. Read only.
  package static var lastEndpoint: Self { Self(ZMQ_LAST_ENDPOINT, "ZMQ_LAST_ENDPOINT") }
}

extension SocketOption where Value == [UInt8] {
  /// A prefix of what a SUB socket wants to receive; empty: everything.
  package static var subscribe: Self { Self(ZMQ_SUBSCRIBE, "ZMQ_SUBSCRIBE") }
  /// Takes a `subscribe` back.
  package static var unsubscribe: Self { Self(ZMQ_UNSUBSCRIBE, "ZMQ_UNSUBSCRIBE") }
  /// The id under which a ROUTER knows this socket, 1 to 255 bytes that do not begin with 0.
  package static var routingID: Self { Self(ZMQ_ROUTING_ID, "ZMQ_ROUTING_ID") }
  /// 32 bytes: the server's public key, on a client.
  package static var curveServerKey: Self { Self(ZMQ_CURVE_SERVERKEY, "ZMQ_CURVE_SERVERKEY") }
  /// 32 bytes: the client's own public key.
  package static var curvePublicKey: Self { Self(ZMQ_CURVE_PUBLICKEY, "ZMQ_CURVE_PUBLICKEY") }
  /// 32 bytes: this end's own secret key.
  package static var curveSecretKey: Self { Self(ZMQ_CURVE_SECRETKEY, "ZMQ_CURVE_SECRETKEY") }
}
