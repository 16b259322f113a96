#include <stdlib.h>

/// Takes the settings of whoever runs the tests away from git, which looks for them once.
///
/// It runs before anything else does, and before there are threads that read variables.
__attribute__((constructor)) static void leave_this_user(void) {
  setenv("HOME", "/nonexistent", 1);
  setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  setenv("GIT_TERMINAL_PROMPT", "0", 1);
}
