import LarderStore
import Libc

// larder-years FOLDER COMMITS: makes a household that has been lived in for so many commits.
guard CommandLine.arguments.count == 3, let commits = Int(CommandLine.arguments[2]) else {
  print("usage: larder-years FOLDER COMMITS")
  exit(2)
}
let years = try Years(in: CommandLine.arguments[1])
try years.live(through: commits)
