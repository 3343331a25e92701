// Where the program is.
#ifndef _CYC_EXECINFO_H
#define _CYC_EXECINFO_H

#include <core.h>

namespace Execinfo {
  extern "C" {
    // Stores up to n return addresses, the innermost first, and tells how many. Core::Failure if there is no room for n.
    int backtrace(long ?addresses, int n) asm("cyc_lib_backtrace");
    // Prints the names of the functions that are running to standard output; 0. For Core::set_uncaught_exn_fun.
    int bt(void) asm("cyc_lib_bt");
  }
}

#endif
