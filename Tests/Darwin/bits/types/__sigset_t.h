#ifndef ____sigset_t_defined
#define ____sigset_t_defined
typedef unsigned int __sigset_t;
#endif
