import CMessages

/// A serialized `google.protobuf.FileDescriptorSet` of the contract, imports included.
package let fileDescriptorSet: [UInt8] = {
  var size = 0
  let start = muster_file_descriptor_set(&size)
  return Array(UnsafeBufferPointer(start: start, count: size))
}()
