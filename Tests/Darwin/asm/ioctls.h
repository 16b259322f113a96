// <sys/ioctl.h>: requests are unsigned longs, and those of Linux are missing.
#define TIOCGWINSZ 0x40087468UL
#define TIOCSWINSZ 0x80087467UL
#define TIOCSCTTY 0x20007461UL
