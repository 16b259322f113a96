// <sys/socket.h>: an address begins with its length.
#ifndef _BITS_SOCKADDR_H
#define _BITS_SOCKADDR_H 1
typedef unsigned char sa_family_t;
#define __SOCKADDR_COMMON(prefix) unsigned char prefix##len; sa_family_t prefix##family
#define __SOCKADDR_COMMON_SIZE (2 * sizeof(unsigned char))
#define _SS_SIZE 128
#endif
