#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef RENAME_SWAP // Darwin
#include <sys/types.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/param.h>

static inline bool larder_keeps_folder_times(int descriptor) {
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return false;
  return strcmp(system.f_fstypename, "apfs") == 0 || strcmp(system.f_fstypename, "hfs") == 0;
}

static inline int larder_sync(int descriptor) {
  return fsync_volume_np(descriptor, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT);
}

static inline int larder_start_writing(int descriptor) { return fcntl(descriptor, F_BARRIERFSYNC); }

static inline unsigned long long larder_mount_number(const char *folder) {
  (void)folder;
  return 0;
}

#define LARDER_RENAME_NOREPLACE RENAME_EXCL
#define LARDER_RENAME_EXCHANGE RENAME_SWAP

static inline int larder_rename(int from_folder, const char *from, int to_folder, const char *to,
                                unsigned int flags) {
  return renameatx_np(from_folder, from, to_folder, to, flags);
}
#else
// renameat2 and syncfs are hidden behind _GNU_SOURCE, which Swift's view of glibc does not define.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

// Returns the number of the mount that a folder is on, which no other mount gets until the system is
// started again; 0 if the kernel is older than 6.8 and would give it to the next one.
static inline unsigned long long larder_mount_number(const char *folder) {
  const unsigned int wish = 0x4000;  // STATX_MNT_ID_UNIQUE
  union {
    unsigned char bytes[256];  // struct statx, whose size never changes
    unsigned int mask;
    unsigned long long words[32];
  } status;
  if (syscall(SYS_statx, AT_FDCWD, folder, AT_SYMLINK_NOFOLLOW, wish, &status) != 0) return 0;
  return status.mask & wish ? status.words[0x90 / 8] : 0;
}

#define LARDER_RENAME_NOREPLACE 1
#define LARDER_RENAME_EXCHANGE 2

static inline int larder_rename(int from_folder, const char *from, int to_folder, const char *to,
                                unsigned int flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

static inline int larder_sync(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

// Starts to write the bytes of a file to the disk, and waits for nothing: SYNC_FILE_RANGE_WRITE.
static inline int larder_start_writing(int descriptor) {
  return (int)syscall(SYS_sync_file_range, descriptor, 0L, 0L, 2u);
}

// Whether an open folder is on a file system that is known to change a folder's times with every
// file that comes or goes. Those of networks and of virtual machines may not.
static inline bool larder_keeps_folder_times(int descriptor) {
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return false;
  switch ((unsigned int)system.f_type) { // The numbers are in the manual of statfs(2).
  case 0xca451a4e: // bcachefs
  case 0x9123683e: // Btrfs
  case 0xef53:     // ext2, ext3 and ext4
  case 0xf2f52010: // F2FS
  case 0x794c7630: // overlayfs
  case 0x01021994: // tmpfs
  case 0x58465342: // XFS
  case 0x2fc12fc1: // ZFS
    return true;
  default:
    return false;
  }
}
#endif
