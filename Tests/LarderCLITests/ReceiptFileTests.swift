import Foundation
import TestSupport
import Testing

@testable import LarderCLI

/// Whether the programs are installed that read PDFs and photos.
private let hasPrograms = ["pdftotext", "pdftoppm", "tesseract"].allSatisfy { program in
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}

@Suite("Receipts in PDFs and photos")
struct ReceiptFileTests {
  private static let lines = [
    "CORNER PANTRY", "14 Mill Road", "20 Nov 2026 08:14", "",
    "SOURDOUGH LOAF          3.40", "OAT DRINK 1L            2.10",
    "APPLES                  1.50", "  0.500 kg x 3.00 /kg", "TOTAL                   7.00",
    "CASH                   10.00", "CHANGE                  3.00",
  ]

  /// A PDF of one page with lines in Courier.
  private static func pdf(_ lines: [String]) -> Data {
    let shown = lines.map { "(\($0)) Tj T*" }.joined(separator: "\n")
    return pdf(page: "BT /F1 14 Tf 18 TL 40 380 Td\n\(shown)\nET", forms: [])
  }

  /// A PDF of 3 KB whose page has ten million lines, because each form shows the one before ten times.
  private static var bomb: Data {
    let forms = (1...7).map { level in
      level == 1
        ? "BT /F1 14 Tf 40 380 Td (MILK 1.00) Tj ET"
        : String(repeating: "/X\(level - 1) Do\n", count: 10)
    }
    return pdf(page: "/X7 Do", forms: forms)
  }

  private static func pdf(page: String, forms: [String]) -> Data {
    let names = forms.indices.map { "/X\($0 + 1) \($0 + 6) 0 R" }.joined(separator: " ")
    let resources = "/Resources << /Font << /F1 5 0 R >> /XObject << \(names) >> >>"
    let box = "[0 0 340 420]"
    let objects =
      [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox \(box) /Contents 4 0 R \(resources) >>",
        stream(page), "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
      ] + forms.map { stream($0, "/Type /XObject /Subtype /Form /BBox \(box) \(resources) ") }
    var text = "%PDF-1.4\n"
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
      places.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    let rows = places.map { place in
      String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n"
    }
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n" + rows.joined()
    text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    return Data(text.utf8)
  }

  private static func stream(_ content: String, _ keys: String = "") -> String {
    "<< \(keys)/Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
  }

  /// The environment of a program that draws with one font, whatever others are installed.
  private static func environment(with settings: String) throws -> [String: String] {
    let fonts = "/usr/share/fonts/truetype/dejavu"
    var environment = ProcessInfo.processInfo.environment
    guard FileManager.default.fileExists(atPath: fonts) else { return environment }
    try "<fontconfig><dir>\(fonts)</dir></fontconfig>".write(
      toFile: settings, atomically: true, encoding: .utf8)
    environment["FONTCONFIG_FILE"] = settings
    return environment
  }

  private func put(_ data: Data, _ name: String, in nest: Nest) throws {
    try data.write(to: URL(filePath: nest.larder.folder(name)))
  }

  @Test("a PDF and a photo of it are the same receipt, which is saved once")
  func whole() throws {
    guard hasPrograms else {
      print("left out: receipts in PDFs and photos; pdftotext and tesseract are not installed")
      return
    }
    let nest = try Nest()
    try nest.prepare("put 'Oat drink' 1l --new")
    try put(Self.pdf(Self.lines), "receipt.pdf", in: nest)
    let read = try nest("receipt read ../receipt.pdf")
    #expect(read.code == 0, "\(read.errors)")
    #expect(read.output.hasPrefix("saved CORNER PANTRY, 2026-11-20 08:14, 7.00 EUR\n"))
    #expect(try nest("stock list --plain").records[0][1] == "2")
    // A phone's photo may lie on its side.
    let page = String(decoding: Self.pdf(Self.lines), as: UTF8.self)
      .replacing("/Courier", with: "/Helvetica-Bold")
    for angle in ["", "/Rotate 90 ", "/Rotate 270 "] {
      try put(
        Data(page.replacing("/MediaBox", with: "\(angle)/MediaBox").utf8), "turned.pdf", in: nest)
      let picture = Process()
      picture.executableURL = URL(filePath: "/usr/bin/env")
      picture.arguments = [
        "pdftoppm", "-r", "200", "-gray", "-png", "-singlefile", nest.larder.folder("turned.pdf"),
        nest.larder.folder("photo"),
      ]
      picture.standardError = FileHandle.nullDevice
      picture.environment = try Self.environment(with: nest.larder.folder("fonts.conf"))
      try picture.run()
      picture.waitUntilExit()
      let photo = try nest("receipt read ../photo.png")
      #expect(photo.output == "unchanged: CORNER PANTRY, 2026-11-20 08:14, 7.00 EUR\n", "\(photo)")
    }
    #expect(try nest("receipt list --plain").records.count == 1)
  }

  @Test(
    "a PDF that is none, an empty one, one that unpacks without end and a photo that is none are told"
  )
  func broken() throws {
    guard hasPrograms else {
      print("left out: broken PDFs and photos; pdftotext and tesseract are not installed")
      return
    }
    let nest = try Nest()
    let files = [
      ("no.pdf", Data("%PDF-1.4\nhello".utf8), "'pdftotext' did not end well"),
      ("empty.pdf", Self.pdf([]), "'pdftotext' found no text"),
      ("no.png", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]), "'tesseract'"),
      ("no.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 5000)), "'tesseract'"),
      ("bomb.pdf", Self.bomb, "'pdftotext' took more than 5 seconds"),
    ]
    for (name, data, message) in files {
      try put(data, name, in: nest)
      let read = try nest("receipt read ../\(name)")
      #expect(read.code == 5 || read.code == 1, "\(name): \(read)")
      #expect(read.errors.contains(message), "\(name): \(read.errors)")
      #expect(!read.errors.contains("no words yet"))
    }
    #expect(try nest("receipt list --plain").output.isEmpty)
  }
}
