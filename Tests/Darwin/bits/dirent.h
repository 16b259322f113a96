// <dirent.h>: names are longer, and a stream is no opaque type.
struct dirent {
  unsigned long long d_ino, d_seekoff;
  unsigned short d_reclen, d_namlen;
  unsigned char d_type;
  char d_name[1024];
};
struct __dirstream {
  int __dd_fd;
};
#define d_fileno d_ino
