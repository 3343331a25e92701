// Where the program is.
#ifndef _CYC_EXECINFO_H
#define _CYC_EXECINFO_H

#include <core.h>

namespace Execinfo {
  extern "C" {
    // Stores up to n return addresses, the innermost first, and tells how many. Core::Failure if there is no room for n.
    //
    //     long addresses[4] = {0, 0, 0, 0};
    //     assert(Execinfo::backtrace(addresses, 4) > 0 && addresses[0] != 0);
    int backtrace(long ?addresses, int n) asm("cyc_lib_backtrace");
    // Prints the names of the functions that are running to standard output; 0. For Core::set_uncaught_exn_fun.
    //
    //     assert(Execinfo::bt() == 0);
    int bt(void) asm("cyc_lib_bt");
  }
}

#endif
