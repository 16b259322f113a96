import Foundation
import TestSupport
import Testing

@Suite("A pre-commit hook that an earlier version installed")
struct FormerHookTests {
  @Test(
    "it stops no commit, the next command adopts it, and doctor tells where it is",
    arguments: [
      "\"$larder\" pre-commit || exit 1",
      "if command -v \"$larder\" >/dev/null; then \"$larder\" pre-commit || exit 1; fi",
    ])
  func formerHook(call: String) throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    try #require(nest("adopt").code == 0)
    let hook = nest.root + "/.git/hooks/pre-commit"
    try nest.write(
      "#!/bin/sh\nlarder='\(CommandRunner.program.path)'\n\(call)\n", to: ".git/hooks/pre-commit")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    try nest.write("{\"name\": \"Tea\", \"quantityInStock\": 2}", to: "stock/tea.json")
    try nest.git("add", ".")
    try nest.git("commit", "-qm", "by hand")
    #expect(try nest.git("show", "HEAD:stock/tea.json").contains("Tea"))
    #expect(try nest("use", "tea", "1").code == 0)
    let told = try nest("doctor")
    #expect(told.code == 1)
    #expect(told.output.contains("calls larder, which does nothing there any more: \(hook)"))
    #expect(told.errors.contains("rm \(hook)"))
    try nest.remove(".git/hooks/pre-commit")
    #expect(try !nest("doctor").output.contains("hook"))
  }

  @Test("a hook of somebody else is none of ours")
  func foreignHook() throws {
    let nest = try HouseholdFixture()
    try nest.write("#!/bin/sh\nexit 0\n", to: ".git/hooks/pre-commit")
    #expect(try nest("doctor").output == "all is well\n")
  }
}
