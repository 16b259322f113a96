import Foundation
import TestSupport

extension Gallery {
  /// Commands that are not written as their usage says.
  static let usage = [
    GalleryEntry("usage-unknown-command", "chek"),
    GalleryEntry("usage-unknown-command-json", "chek", "--json"),
    GalleryEntry("usage-unknown-option", "fmt", "--chek"),
    GalleryEntry("usage-missing-argument", "join"),
    GalleryEntry("usage-too-many-arguments", "check", "stock", "batches"),
    GalleryEntry("usage-json-and-plain", "check", "--json", "--plain"),
    GalleryEntry("usage-missing-value", "log", "--limit"),
    GalleryEntry(
      "usage-empty-value", "stock", "put", "milk", "1", "--request-id", "", "--unit="),
    GalleryEntry("usage-unknown-setting", "config", "currncy"),
    GalleryEntry("usage-unknown-kind", "schema", "Stockitem"),
    GalleryEntry("usage-limit-is-no-number", "log", "--limit", "few"),
    GalleryEntry("usage-watch-every", "watch", "--every", "5"),
    GalleryEntry("usage-unknown-topic", "help", "formt"),
    GalleryEntry("usage-several-mistakes", "fmt", "--chek", "--json=yes", "stock"),
    GalleryEntry("usage-clock-is-no-instant", "check", variables: ["LARDER_NOW": "noon"]),
  ]

  /// Households that can't be found, read or written.
  static let household = [
    GalleryEntry("household-none", "check", place: "home"),
    GalleryEntry("household-none-in-folder", "-C", "nowhere", "check", place: "home"),
    GalleryEntry("household-exists", "init", "--name", "Nest", "--time-zone", "UTC"),
    GalleryEntry(
      "household-time-zone", "init", "new", "--name", "N", "--time-zone", "Mars/Base", place: "home"
    ),
    GalleryEntry(
      "household-currency", "init", "new", "--name", "N", "--time-zone", "UTC", "--currency",
      "pounds", place: "home"),
    GalleryEntry("household-newer-format", "config", "name", "Nest 2") { fixture in
      let text = try fixture.read("household.json")
      try fixture.write(
        text.replacing("\"format\": 1", with: "\"format\": 2"), to: "household.json")
    },
    GalleryEntry("household-file-unreadable", "config", "name", "Nest 2") { fixture in
      try fixture.write("{ \"format\": 1, \"name\": Nest }\n", to: "household.json")
    },
    GalleryEntry("household-read-only", "fmt") { fixture in
      try fixture.remove(".git")
    },
    GalleryEntry("household-no-user", "adopt") { fixture in
      try fixture.git("config", "--unset", "larder.userId")
    },
    GalleryEntry("household-merge-under-way", "adopt") { fixture in
      try fixture.git("checkout", "-q", "-b", "side")
      try fixture.write("a\n", to: "README.md")
      try fixture.git("add", "README.md")
      try fixture.git("commit", "-qm", "one readme")
      try fixture.git("checkout", "-q", "main")
      try fixture.write("b\n", to: "README.md")
      try fixture.git("add", "README.md")
      try fixture.git("commit", "-qm", "another readme")
      do {
        try fixture.git("merge", "side")
      } catch is Git.Failure {
        // The conflict is what is wanted.
      }
    },
    GalleryEntry("household-rebase-under-way", "adopt") { fixture in
      try FileManager.default.createDirectory(
        atPath: fixture.root + "/.git/rebase-merge", withIntermediateDirectories: true)
    },
    GalleryEntry("household-index-locked", "adopt") { fixture in
      try fixture.write("", to: ".git/index.lock")
    },
    GalleryEntry("household-watched", "watch") { fixture in
      _ = try fixture("adopt")
      let path = fixture.root + "/.git/larder/watch-lock"
      let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      // It is let go of when the tests end.
      guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw CocoaError(.fileLocking) }
    },
    GalleryEntry("household-many-removals", "adopt") { fixture in
      for number in 1...20 {
        try fixture.write(Written.item(number, "Item \(number)"), to: "stock/\(number).json")
      }
      _ = try fixture("adopt")
      for number in 1...15 { try fixture.remove("stock/\(number).json") }
    },
    GalleryEntry("damaged-head", "stock") { fixture in
      try fixture.write("ref: refs/hxads/main\n", to: ".git/HEAD")
    },
    GalleryEntry("damaged-folder-head", "stock") { fixture in
      try fixture.remove(".git/HEAD")
    },
    GalleryEntry("damaged-folder", "stock") { fixture in
      try fixture.remove(".git/objects")
    },
    GalleryEntry("damaged-branch", "stock") { fixture in
      try fixture.remove(".git/refs/heads/main")
    },
    GalleryEntry("damaged-settings", "stock") { fixture in
      let text = try String(contentsOfFile: fixture.root + "/.git/config", encoding: .utf8)
      try fixture.write(text + "[core\n", to: ".git/config")
    },
    GalleryEntry("damaged-packed-refs", "doctor") { fixture in
      try fixture.write("# pack-refs with: peeled\nzzz\n", to: ".git/packed-refs")
    },
    GalleryEntry("damaged-index", "stock", "new", "Milk") { fixture in
      try fixture.write("DIRC", to: ".git/index")
    },
    GalleryEntry("damaged-file", "doctor", files: ["stock/milk.json": Written.item(1, "Milk")]) {
      fixture in
      _ = try fixture("adopt")
      try fixture.write("{", to: "stock/milk.json")
    },
    GalleryEntry("damaged-reference", "doctor") { fixture in
      try fixture.write("12\n", to: ".git/refs/tags/one")
      try fixture.write("34\n", to: ".git/refs/heads/side")
    },
    GalleryEntry("household-plain-clone", "doctor", place: "home/clone") { fixture in
      try Git.run("clone", "-q", "nest", "clone", in: fixture.larder.folder("home"))
    },
    GalleryEntry("household-plain-clone-json", "doctor", "--json", place: "home/clone") { fixture in
      try Git.run("clone", "-q", "nest", "clone", in: fixture.larder.folder("home"))
    },
    GalleryEntry("household-doctor-lock", "doctor") { fixture in
      try fixture.write("", to: ".git/index.lock")
    },
    GalleryEntry("household-doctor-driver-gone", "doctor") { fixture in
      try fixture.git("config", "merge.larder.driver", "/gone/larder merge-driver %O %A %B %P")
    },
    GalleryEntry("household-doctor-shallow", "doctor", "--fix", place: "home/clone") { fixture in
      try fixture.write("a\n", to: "README.md")
      try fixture.git("add", "README.md")
      try fixture.git("commit", "-qm", "a readme")
      try Git.run(
        "clone", "-q", "--depth", "1", "file://\(fixture.root)", "clone",
        in: fixture.larder.folder("home"))
    },
    GalleryEntry("household-shallow", "adopt", place: "home/clone") { fixture in
      try fixture.write("a\n", to: "README.md")
      try fixture.git("add", "README.md")
      try fixture.git("commit", "-qm", "a readme")
      let home = fixture.larder.folder("home")
      try Git.run("clone", "-q", "--depth", "1", "file://\(fixture.root)", "clone", in: home)
      try Git.run("config", "larder.userId", Written.id(7), in: home + "/clone")
    },
    GalleryEntry("household-doctor-detached", "doctor") { fixture in
      try fixture.git("checkout", "-q", "--detach")
    },
    GalleryEntry(
      "household-doctor-clock", "doctor",
      files: ["stock/milk.json": Written.item(1, "Milk", "\"createdAt\": \"2030-01-01T00:00:00Z\"")]
    ),
  ]

  /// Remotes that can't be reached, found or joined with.
  static let remotes = [
    GalleryEntry("sync-no-remote", "sync"),
    GalleryEntry("sync-unknown-remote", "sync", "--remote", "orign") { try $0.addOrigin() },
    GalleryEntry("sync-which-remote", "sync") { fixture in
      try fixture.git("remote", "add", "one", "../one.git")
      try fixture.git("remote", "add", "two", "../two.git")
    },
    GalleryEntry("sync-unreachable", "sync") { fixture in
      try fixture.git("remote", "add", "origin", "../gone.git")
    },
    GalleryEntry("sync-unreachable-json", "sync", "--json") { fixture in
      try fixture.git("remote", "add", "origin", "../gone.git")
    },
    GalleryEntry("sync-no-git-https", "sync", variables: ["PATH": "/nonexistent"]) { fixture in
      try fixture.git("remote", "add", "origin", "https://anna:s3cret@example.org/home.git")
    },
    GalleryEntry("sync-no-git-folder", "sync", variables: ["PATH": "/nonexistent"]) { fixture in
      try fixture.git("remote", "add", "origin", "../gone.git")
    },
    GalleryEntry(
      "join-no-git", "join", "https://anna:s3cret@example.org/home.git", place: "home",
      variables: ["PATH": "/nonexistent"]),
    GalleryEntry("sync-all-failing", "sync", "--all") { fixture in
      try fixture.git("remote", "add", "origin", "../gone.git")
      try fixture.git("remote", "add", "backup", "http://127.0.0.1:1/home.git")
    },
    GalleryEntry("usage-remote-and-all", "sync", "--all", "--remote", "origin"),
    GalleryEntry("sync-detached", "sync") { fixture in
      try fixture.addOrigin()
      try fixture.git("checkout", "-q", "--detach")
    },
    GalleryEntry("sync-unrelated-histories", "sync") { fixture in
      try fixture.addOrigin()
      try Git.run("clone", "-q", "origin.git", "other", in: fixture.larder.folder("home"))
      let other = fixture.larder.folder("home/other")
      try fixture.larder.folder.write("hello\n", to: "home/other/README.md")
      try Git.run("add", "README.md", in: other)
      try Git.run("commit", "-qm", "something else", in: other)
      try Git.run("push", "-q", "origin", "HEAD:main", in: other)
    },
    GalleryEntry("sync-refused", "sync") { fixture in
      try fixture.addOrigin()
      let hook = fixture.larder.folder("home/origin.git/hooks/pre-receive")
      try fixture.larder.folder.write(
        "#!/bin/sh\necho 'no pushing on Sundays' >&2\nexit 1\n",
        to: "home/origin.git/hooks/pre-receive")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    },
    GalleryEntry("join-folder-in-use", "join", "../origin.git", "../nest") { try $0.addOrigin() },
    GalleryEntry("join-no-household", "join", "origin.git", "other", place: "home") { fixture in
      try fixture.addOrigin()
    },
    GalleryEntry("join-unreachable", "join", "gone.git", "other", place: "home"),
  ]

  /// Revisions, things, settings and files that single commands want.
  static let commands = [
    GalleryEntry("diff-unknown-commit", "diff", "HEAD~7"),
    GalleryEntry("log-unknown", "log", "mikl", files: ["stock/milk.json": Written.item(1, "Milk")]),
    GalleryEntry(
      "log-ambiguous", "log", "milk",
      files: [
        "stock/a.json": Written.item(1, "Oat milk"), "stock/b.json": Written.item(2, "Soy milk"),
      ]),
    GalleryEntry("config-days", "config", "expiringWithinDays", "soon"),
    GalleryEntry("config-currency", "config", "currency", "euro"),
    GalleryEntry("config-time-zone", "config", "timeZone", "London"),
    GalleryEntry("config-no-name", "config", "name", ""),
    GalleryEntry("fmt-check", "fmt", "--check", files: ["stock/milk.json": "{\"name\":\"Milk\"}"]),
    GalleryEntry(
      "fmt-check-json", "fmt", "--check", "--json",
      files: ["stock/milk.json": "{\"name\":\"Milk\"}"]),
    GalleryEntry(
      "merge-driver-conflict", "merge-driver", "o", "a", "b", "stock/milk.json",
      files: ["o": "", "a": Written.item(1, "Milk"), "b": Written.item(2, "Bread")]),
    GalleryEntry(
      "merge-driver-no-file", "merge-driver", "o", "a", "b", "stock/milk.json", files: ["o": ""]),
    GalleryEntry("textconv-no-file", "textconv", "gone.json"),
    GalleryEntry("git-missing", "git", "status", variables: ["PATH": "/nonexistent"]),
  ]
}
