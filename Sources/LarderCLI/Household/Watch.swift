import LarderKit

/// `larder watch`: adopts and syncs automatically until it is stopped.
enum WatchCommand {
  static let every = Option(
    "every", value: "TIME",
    help: "how often to sync when nothing changes here, such as 30s, 5m or 2h (5m if left out)")

  static let command = Command(
    "watch", summary: "Adopt edits as they are saved, and sync in the background",
    discussion: """
      Adopts a saved file when nothing has changed for a second. Syncs after every change here, \
      and every few minutes, by git and with the Supabase project if somebody is signed in. If one \
      of them can't be reached, it tries again, less and less often; the other one still syncs. A \
      household without either is watched too. During an unfinished merge or rebase of git, \
      everything else waits. Each event is one line on standard error.

      Ctrl-C (SIGINT), SIGTERM and SIGHUP end it with exit code 0, after a write in progress. One \
      watch is enough for a household; a second one ends with exit code 7.
      """,
    group: "Household",
    examples: [
      Example("larder watch"), Example("larder watch --every 1h", "on a slow or metered line"),
    ],
    options: [every]
  ) { invocation in
    let interval = try interval(invocation)
    try invocation.withLarder { larder in
      let stop = try StopSignals()
      let clock = try invocation.clock()
      let lines = WatchLines(
        clock: clock, calendar: HouseholdCalendar(of: try larder.read().household, now: clock()),
        output: invocation.output)
      let words = WatchWords(larder: larder, interval: interval, lines: lines)
      try larder.watch(every: interval, until: WatchStop(readable: stop.descriptor)) { event in
        words.report(event)
        TidyCommand.startIfDue(for: larder, invocation)
      }
      words.ended()
    }
  }

  private static func interval(_ invocation: Invocation) throws -> Duration {
    let text = invocation[every] ?? "5m"
    guard let interval = TypedInterval(text) else {
      throw invocation.unreadable(
        text, for: every.spelling, "a time from 1s to 24h is needed, as in 30s, 5m or 2h")
    }
    return interval.duration
  }
}
