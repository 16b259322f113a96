// The widths of the types of <sys/types.h>.
#ifndef _BITS_TYPESIZES_H
#include_next <bits/typesizes.h>
#undef __DEV_T_TYPE
#undef __MODE_T_TYPE
#undef __NLINK_T_TYPE
#undef __BLKSIZE_T_TYPE
#undef __SUSECONDS_T_TYPE
#undef __CLOCK_T_TYPE
#define __DEV_T_TYPE __S32_TYPE
#define __MODE_T_TYPE unsigned short int
#define __NLINK_T_TYPE unsigned short int
#define __BLKSIZE_T_TYPE __S32_TYPE
#define __SUSECONDS_T_TYPE __S32_TYPE
#define __CLOCK_T_TYPE __ULONGWORD_TYPE
#endif
