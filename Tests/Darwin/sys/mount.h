// <sys/mount.h>: what a file system is called.
#ifndef _SYS_MOUNT_H
#define _SYS_MOUNT_H 1
struct statfs {
  unsigned int f_bsize, f_type;
  char f_fstypename[16];
};
int fstatfs(int, struct statfs *);
#endif
