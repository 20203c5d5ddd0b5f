// Made by tools/generate from proto/muster/v1/control.proto. Do not edit.

import CMessages
import Model

extension CheckHealthRequest: Message {
  package static var name: String { "muster.v1.CheckHealthRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_health_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckHealthRequest.self)
    muster__v1__check_health_request__init(c)
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckHealthResponse: Message {
  package static var name: String { "muster.v1.CheckHealthResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_health_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckHealthResponse.self)
    self.init(
      state: reader.enumeration(c.pointee.state.rawValue, "state") ?? .unspecified,
      services: reader.messages(c.pointee.n_services, c.pointee.services, "services")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckHealthResponse.self)
    muster__v1__check_health_response__init(c)
    c.pointee.state = .init(rawValue: UInt32(bitPattern: state.rawValue))
    c.pointee.n_services = services.count
    c.pointee.services = arena.messages(services)
    return UnsafeMutableRawPointer(c)
  }
}

extension ServiceHealth: Message {
  package static var name: String { "muster.v1.ServiceHealth" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_service_health_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ServiceHealth.self)
    self.init(
      service: reader.text(c.pointee.service, "service"),
      state: reader.enumeration(c.pointee.state.rawValue, "state") ?? .unspecified,
      revision: c.pointee.revision,
      silentMs: c.pointee.silent_ms,
      detail: reader.text(c.pointee.detail, "detail")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ServiceHealth.self)
    muster__v1__service_health__init(c)
    c.pointee.service = arena.text(service)
    c.pointee.state = .init(rawValue: UInt32(bitPattern: state.rawValue))
    c.pointee.revision = revision
    c.pointee.silent_ms = silentMs
    c.pointee.detail = arena.text(detail)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetInfoRequest: Message {
  package static var name: String { "muster.v1.GetInfoRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_info_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetInfoRequest.self)
    self.init(
      service: reader.text(c.pointee.service, "service")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetInfoRequest.self)
    muster__v1__get_info_request__init(c)
    c.pointee.service = arena.text(service)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetInfoResponse: Message {
  package static var name: String { "muster.v1.GetInfoResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_info_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetInfoResponse.self)
    self.init(
      service: reader.text(c.pointee.service, "service"),
      version: reader.text(c.pointee.version, "version"),
      methods: reader.texts(c.pointee.n_methods, c.pointee.methods, "methods"),
      fileDescriptorSet: reader.bytes(c.pointee.file_descriptor_set, "file_descriptor_set"),
      startTimeMs: c.pointee.start_time_ms,
      durability: reader.text(c.pointee.durability, "durability")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetInfoResponse.self)
    muster__v1__get_info_response__init(c)
    c.pointee.service = arena.text(service)
    c.pointee.version = arena.text(version)
    c.pointee.n_methods = methods.count
    c.pointee.methods = arena.texts(methods)
    c.pointee.file_descriptor_set = arena.bytes(fileDescriptorSet)
    c.pointee.start_time_ms = startTimeMs
    c.pointee.durability = arena.text(durability)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetStatsRequest: Message {
  package static var name: String { "muster.v1.GetStatsRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_stats_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetStatsRequest.self)
    self.init(
      service: reader.text(c.pointee.service, "service")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetStatsRequest.self)
    muster__v1__get_stats_request__init(c)
    c.pointee.service = arena.text(service)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetStatsResponse: Message {
  package static var name: String { "muster.v1.GetStatsResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_stats_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetStatsResponse.self)
    self.init(
      methods: reader.messages(c.pointee.n_methods, c.pointee.methods, "methods"),
      gauges: reader.messages(c.pointee.n_gauges, c.pointee.gauges, "gauges")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetStatsResponse.self)
    muster__v1__get_stats_response__init(c)
    c.pointee.n_methods = methods.count
    c.pointee.methods = arena.messages(methods)
    c.pointee.n_gauges = gauges.count
    c.pointee.gauges = arena.messages(gauges)
    return UnsafeMutableRawPointer(c)
  }
}

extension MethodStats: Message {
  package static var name: String { "muster.v1.MethodStats" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_method_stats_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__MethodStats.self)
    self.init(
      method: reader.text(c.pointee.method, "method"),
      code: reader.enumeration(c.pointee.code.rawValue, "code") ?? .unknown,
      calls: c.pointee.calls,
      p50Us: c.pointee.p50_us,
      p99Us: c.pointee.p99_us,
      maxUs: c.pointee.max_us
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__MethodStats.self)
    muster__v1__method_stats__init(c)
    c.pointee.method = arena.text(method)
    c.pointee.code = .init(rawValue: UInt32(bitPattern: code.rawValue))
    c.pointee.calls = calls
    c.pointee.p50_us = p50Us
    c.pointee.p99_us = p99Us
    c.pointee.max_us = maxUs
    return UnsafeMutableRawPointer(c)
  }
}

extension Gauge: Message {
  package static var name: String { "muster.v1.Gauge" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_gauge_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Gauge.self)
    self.init(
      name: reader.text(c.pointee.name, "name"),
      value: c.pointee.value
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Gauge.self)
    muster__v1__gauge__init(c)
    c.pointee.name = arena.text(name)
    c.pointee.value = value
    return UnsafeMutableRawPointer(c)
  }
}
