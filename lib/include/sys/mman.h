// Files as memory.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_MMAN_H
#define _CYC_SYS_MMAN_H

#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_GROWSDOWN 256
#define MAP_FAILED NULL
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4

extern "C" {
  // The bytes of a file, or null. The address is not asked for. Core::Failure for PROT_EXEC, for MAP_SHARED together with
  // MAP_PRIVATE or neither of them, and for MAP_GROWSDOWN. Access that `prot` does not allow, or behind the end of a file that became
  // shorter, ends the program by a signal.
  //
  //     FILE *f = tmpfile();
  //     if (f == NULL) return;
  //     ftruncate(fileno(f), 4096);
  //     char ?@nozeroterm map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
  //     map[10] = 'x';
  //     assert(msync(map, 4096, MS_SYNC) == 0 && numelts(map) == 4096 && munmap(map, 4096) == 0);
  char ?@nozeroterm `H mmap(char ?@nozeroterm `H unused, size_t length, int prot, int flags, int fd, off_t offset) asm("cyc_lib_mmap");
  // Gives the memory back: what is read there from now on is zero. -1 with EINVAL for anything but a whole result of mmap.
  //
  //     char ?@nozeroterm map = mmap(NULL, 100, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  //     assert(munmap(map, 50) == -1 && munmap(map, 100) == 0);
  int munmap(const char ?@nozeroterm start, size_t length) asm("cyc_lib_munmap");
  // Writes what changed to the file.
  //
  //     char ?@nozeroterm map = mmap(NULL, 100, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  //     try { msync(map, 101, MS_SYNC); assert(false); } catch { case &Array_bounds: break; }
  int msync(char ?@nozeroterm start, size_t length, int flags) asm("cyc_lib_msync");
}

#endif
