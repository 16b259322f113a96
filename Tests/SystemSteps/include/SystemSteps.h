#pragma once

/// What happens to a system call that changes something on disk.
enum steps_verdict {
  /// It is made.
  STEPS_GO = 0,
  /// The process is killed before it.
  STEPS_KILL = 1,
  /// The process is killed in the middle of it, where it writes bytes; before it otherwise.
  STEPS_TEAR = 2,
};

/// Whether this system lets us see the system calls.
int steps_are_seen(void);

/// Counts the calls from now on, and asks for a verdict before the one with this number.
///
/// Calls that are made while the verdict is found are not counted. After a kill every call that would
/// change something fails, so that the disk stays as a killed process leaves it.
void steps_begin(int number, int (*verdict)(void *), void *context);

/// Stops counting; the number of calls there were.
int steps_end(void);

/// Whether the process counts as killed since `steps_begin`.
int steps_were_killed(void);

/// Lets all waiting take no time, for a process whose clock is not the real one.
void steps_without_waiting(void);
