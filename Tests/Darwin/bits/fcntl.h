// <fcntl.h>
#include_next <bits/fcntl.h>
#undef O_TMPFILE
#undef O_PATH
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85
