internal import Libc

/// A picture of a text that phones read with their camera, drawn for a terminal.
public struct QRPicture: Sendable {
  /// Whether each module of each row is dark, without the margin.
  private let rows: [[Bool]]
  /// The light margin that readers need around it, in modules.
  private static let margin = 4

  /// Draws a text; nil without libqrencode, which not every system has.
  public init?(of text: String) {
    typealias Encode = @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> UnsafeRawPointer?
    typealias Free = @convention(c) (UnsafeRawPointer) -> Void
    for library in SharedLibrary.named("libqrencode", version: 4) {
      guard let encode = library["QRcode_encodeString8bit", as: Encode.self],
        let free = library["QRcode_free", as: Free.self],
        // The smallest version that has room, and 1, the level M, with which 15 % may be dirty.
        let code = encode(text, 0, 1)
      else { continue }
      defer { free(code) }
      // A QRcode is its version, its width, and a pointer to a byte for each module.
      let width = Int(code.load(fromByteOffset: 4, as: Int32.self))
      guard let modules = code.load(fromByteOffset: 8, as: UnsafePointer<UInt8>?.self) else {
        return nil
      }
      rows = (0..<width).map { row in (0..<width).map { modules[row * width + $0] & 1 == 1 } }
      return
    }
    return nil
  }

  /// The number of columns that it takes.
  public var width: Int { rows.count + 2 * Self.margin }

  /// The lines, two rows of modules in each, as black on white whatever the terminal's own colours
  /// are.
  public var lines: [String] {
    stride(from: -Self.margin, to: rows.count + Self.margin, by: 2).map { row in
      let halves = (-Self.margin..<rows.count + Self.margin).map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      // 16 and 231 are black and white in the palette that no theme changes.
      return "\u{1b}[38;5;16;48;5;231m\(halves.joined())\u{1b}[0m"
    }
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    rows.indices.contains(row) && rows.indices.contains(column) && rows[row][column]
  }
}
