// Made by tools/generate from proto/muster/v1/control.proto. Do not edit.

/// `ServingState` of the contract.
package enum ServingState: Int32, CaseIterable, Sendable {
  case unspecified = 0
  case serving = 1
  /// Up, but a service that it needs is not, or a disk is full; `detail` says which.
  case degraded = 2
  case notServing = 3
  case draining = 4
}

/// The request of `ControlService/CheckHealth`.
package struct CheckHealthRequest: Equatable, Sendable {
  package init() {}
}

/// The response of `ControlService/CheckHealth`.
package struct CheckHealthResponse: Equatable, Sendable {
  package var state: ServingState
  package var services: [ServiceHealth]

  package init(
    state: ServingState = .unspecified,
    services: [ServiceHealth] = []
  ) {
    self.state = state
    self.services = services
  }
}

/// `ServiceHealth` of the contract.
package struct ServiceHealth: Equatable, Sendable {
  /// "profiles", "locations", "check-ins" or "gateway".
  package var service: String
  package var state: ServingState
  package var revision: UInt64
  /// How long ago it was last heard of.
  package var silentMs: UInt64
  package var detail: String

  package init(
    service: String = "",
    state: ServingState = .unspecified,
    revision: UInt64 = 0,
    silentMs: UInt64 = 0,
    detail: String = ""
  ) {
    self.service = service
    self.state = state
    self.revision = revision
    self.silentMs = silentMs
    self.detail = detail
  }
}

/// The request of `ControlService/GetInfo`.
package struct GetInfoRequest: Equatable, Sendable {
  /// Empty: this process. At the gateway also "profiles", "locations" or "check-ins": it asks them.
  package var service: String

  package init(
    service: String = ""
  ) {
    self.service = service
  }
}

/// The response of `ControlService/GetInfo`.
package struct GetInfoResponse: Equatable, Sendable {
  package var service: String
  package var version: String
  /// Every method that it answers.
  package var methods: [String]
  /// A serialized google.protobuf.FileDescriptorSet of this API, imports included.
  package var fileDescriptorSet: [UInt8]
  package var startTimeMs: Int64
  /// How acknowledged writes are kept, for example "sqlite wal synchronous=full".
  package var durability: String

  package init(
    service: String = "",
    version: String = "",
    methods: [String] = [],
    fileDescriptorSet: [UInt8] = [],
    startTimeMs: Int64 = 0,
    durability: String = ""
  ) {
    self.service = service
    self.version = version
    self.methods = methods
    self.fileDescriptorSet = fileDescriptorSet
    self.startTimeMs = startTimeMs
    self.durability = durability
  }
}

/// The request of `ControlService/GetStats`.
package struct GetStatsRequest: Equatable, Sendable {
  /// As in GetInfoRequest.
  package var service: String

  package init(
    service: String = ""
  ) {
    self.service = service
  }
}

/// The response of `ControlService/GetStats`.
package struct GetStatsResponse: Equatable, Sendable {
  package var methods: [MethodStats]
  package var gauges: [Gauge]

  package init(
    methods: [MethodStats] = [],
    gauges: [Gauge] = []
  ) {
    self.methods = methods
    self.gauges = gauges
  }
}

/// `MethodStats` of the contract.
package struct MethodStats: Equatable, Sendable {
  /// Full method name.
  package var method: String
  package var code: Code
  package var calls: UInt64
  /// Microseconds, from receipt to response.
  package var p50Us: UInt64
  package var p99Us: UInt64
  package var maxUs: UInt64

  package init(
    method: String = "",
    code: Code = .ok,
    calls: UInt64 = 0,
    p50Us: UInt64 = 0,
    p99Us: UInt64 = 0,
    maxUs: UInt64 = 0
  ) {
    self.method = method
    self.code = code
    self.calls = calls
    self.p50Us = p50Us
    self.p99Us = p99Us
    self.maxUs = maxUs
  }
}

/// `Gauge` of the contract.
package struct Gauge: Equatable, Sendable {
  /// As Prometheus names it, for example "muster_requests_in_flight" or
  /// "muster_malformed_requests_total".
  package var name: String
  package var value: Double

  package init(
    name: String = "",
    value: Double = 0
  ) {
    self.name = name
    self.value = value
  }
}
