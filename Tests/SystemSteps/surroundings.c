#include <stdlib.h>

/// Takes the settings of whoever runs the tests away from git, and gives it an author.
///
/// It runs before anything else does. Libgit2 looks for settings once, and variables may not change once
/// there are threads that read them.
__attribute__((constructor)) static void leave_this_user(void) {
  setenv("HOME", "/nonexistent", 1);
  setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  setenv("GIT_TERMINAL_PROMPT", "0", 1);
  setenv("GIT_AUTHOR_NAME", "Ada", 1);
  setenv("GIT_AUTHOR_EMAIL", "ada@example.org", 1);
  setenv("GIT_COMMITTER_NAME", "Ada", 1);
  setenv("GIT_COMMITTER_EMAIL", "ada@example.org", 1);
}
