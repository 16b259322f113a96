internal import LarderText

/// The files of the page, which tell nothing of a household and need no token.
enum PageFiles {
  struct File {
    let name: String
    let type: String
    let bytes: [UInt8]
    /// The version: a browser asks whether it has it still.
    let tag: String

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
      type = Self.types[name.split(separator: ".").last.map(String.init) ?? ""] ?? ""
      tag = "\"\(hexadecimal(SHA256.digest(of: bytes).prefix(12)))\""
    }

    private static let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
      "webmanifest": "application/manifest+json",
    ]
  }

  /// All files of `Page`; a test compares them with the folder.
  static let all: [File] = [
    File("all-texts.js", PackageResources.all_texts_js),
    File("amounts.js", PackageResources.amounts_js),
    File("app.js", PackageResources.app_js),
    File("apply.js", PackageResources.apply_js),
    File("away.js", PackageResources.away_js),
    File("back.js", PackageResources.back_js),
    File("de-screens.js", PackageResources.de_screens_js),
    File("de.js", PackageResources.de_js),
    File("dom.js", PackageResources.dom_js),
    File("due.js", PackageResources.due_js),
    File("edit.js", PackageResources.edit_js),
    File("en-screens.js", PackageResources.en_screens_js),
    File("en.js", PackageResources.en_js),
    File("entry.js", PackageResources.entry_js),
    File("fields.js", PackageResources.fields_js),
    File("first.js", PackageResources.first_js),
    File("format.js", PackageResources.format_js),
    File("icon-192.png", PackageResources.icon_192_png),
    File("icon-512.png", PackageResources.icon_512_png),
    File("icon.svg", PackageResources.icon_svg),
    File("index.html", PackageResources.index_html),
    File("item.js", PackageResources.item_js),
    File("list.js", PackageResources.list_js),
    File("look.css", PackageResources.look_css),
    File("manifest.webmanifest", PackageResources.manifest_webmanifest),
    File("more.js", PackageResources.more_js),
    File("offers.js", PackageResources.offers_js),
    File("pair.js", PackageResources.pair_js),
    File("parts.js", PackageResources.parts_js),
    File("pick.js", PackageResources.pick_js),
    File("queue.js", PackageResources.queue_js),
    File("receipts.js", PackageResources.receipts_js),
    File("said.js", PackageResources.said_js),
    File("save.js", PackageResources.save_js),
    File("scan.js", PackageResources.scan_js),
    File("send.js", PackageResources.send_js),
    File("settings.js", PackageResources.settings_js),
    File("sheet.js", PackageResources.sheet_js),
    File("state.js", PackageResources.state_js),
    File("stay.js", PackageResources.stay_js),
    File("stock.js", PackageResources.stock_js),
    File("store.js", PackageResources.store_js),
    File("sw.js", PackageResources.sw_js),
    File("taps.js", PackageResources.taps_js),
    File("texts.js", PackageResources.texts_js),
    File("words.js", PackageResources.words_js),
  ]

  private static let byPath: [String: File] = {
    var files = Dictionary(uniqueKeysWithValues: all.map { ("/" + $0.name, $0) })
    files["/"] = files["/index.html"]
    return files
  }()

  /// Returns the answer of a path; nil if there is no file of it.
  static func answer(_ request: WebRequest) -> WebResponse? {
    guard request.method == .get, let file = byPath[request.path] else { return nil }
    let headers: [RequestHead.Header] = [
      .init("ETag", file.tag), .init("Cache-Control", "no-cache"),
      .init("Vary", "Accept-Encoding"),
    ]
    if request.ifNoneMatch == file.tag { return WebResponse(304, headers) }
    return WebResponse(200, headers + [.init("Content-Type", file.type)], body: file.bytes)
  }
}

/// Returns bytes as small hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}
