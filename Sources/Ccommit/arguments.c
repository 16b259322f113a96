#include "commit.h"

#include <stdlib.h>

static int count;
static char **arguments;

// Swift reads them from /proc/self/cmdline, which is not there in every chroot. The system's library hands
// them to each function that runs before main; a library that does not leaves them null.
__attribute__((constructor)) static void keep(int given, char **words, char **environment) {
  (void)environment;
#if defined(__GLIBC__) || defined(__APPLE__)
  count = given;
  arguments = words;
#else
  (void)given;
  (void)words;
#endif
}

const char *const *larder_arguments(int *number) {
  *number = count;
  return (const char *const *)arguments;
}
