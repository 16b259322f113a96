// <unistd.h>
#include_next <unistd.h>
#ifndef SYNC_VOLUME_WAIT
#define SYNC_VOLUME_FULLSYNC 0x01
#define SYNC_VOLUME_WAIT 0x02
int fsync_volume_np(int, int);
// <sys/sysctl.h>
int sysctlbyname(const char *, void *, size_t *, void *, size_t);
int fdatasync(int) __attribute__((unavailable("Darwin has none")));
#endif
