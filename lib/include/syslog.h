// Messages to the system's log: sys/syslog.h.
#include <sys/syslog.h>
