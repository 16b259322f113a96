import LarderKit

/// `larder watch`: adopts and syncs automatically until it is stopped.
enum WatchCommand {
  static let every = Option(
    "every", value: "TIME",
    help: "how often to sync when nothing changes here, such as 30s, 5m or 2h (5m if left out)")

  static let command = Command(
    "watch", summary: "Adopt edits as they are saved, and sync in the background",
    discussion: """
      Adopts a saved file once nothing has changed for a second, syncs after every change here and \
      every few minutes besides, by git and with the Supabase project that somebody is signed in to; \
      and tries again, less and less often, while one of them is away, which keeps the other from \
      nothing. A household without either is watched too. While a merge or rebase of git's waits to be \
      finished, so does everything else. What happens is told on standard error, a line each.

      Ends with exit code 0 at Ctrl-C (SIGINT), SIGTERM or SIGHUP, after what is just being \
      written. One watch a household is enough; a second one ends with exit code 7.
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
