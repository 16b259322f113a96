internal import Czlib

extension WebResponse {
  /// The smallest body that is compressed, in bytes: what is shorter is one packet anyway.
  private static let smallest = 1400

  /// The response with its text compressed by gzip (RFC 1952), for who takes that.
  func compressed(for request: WebRequest) -> WebResponse {
    guard request.takesGzip, body.count >= Self.smallest, isText, let short = gzipped(body) else {
      return self
    }
    var response = self
    response.body = short
    response.headers.append(.init("Content-Encoding", "gzip"))
    return response
  }

  private var isText: Bool {
    !headers.contains { $0.name == "Content-Type" && $0.value.hasPrefix("image/png") }
  }
}

/// Returns bytes as a gzip stream; nil if there is no memory for it.
private func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
  // zlib remembers its address, so all is done while it has one.
  withUnsafeTemporaryAllocation(of: z_stream.self, capacity: 1) { memory in
    guard let stream = memory.baseAddress else { return nil }
    stream.initialize(to: z_stream())
    // 15 is the largest window, and 16 more asks for gzip's head and end.
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    let most = Int(deflateBound(stream, UInt(bytes.count)))
    var (source, target) = (bytes, [UInt8](repeating: 0, count: most))
    let end = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        stream.pointee.next_in = source.baseAddress
        stream.pointee.avail_in = UInt32(source.count)
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = UInt32(target.count)
        return deflate(stream, Z_FINISH)
      }
    }
    return end == Z_STREAM_END ? Array(target.prefix(Int(stream.pointee.total_out))) : nil
  }
}
