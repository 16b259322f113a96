// <stdio.h>
#include_next <stdio.h>
#ifndef RENAME_SWAP
#define RENAME_SWAP 0x00000002
#define RENAME_EXCL 0x00000004
int renameatx_np(int, const char *, int, const char *, unsigned int);
#endif
