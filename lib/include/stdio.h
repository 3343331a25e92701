// Streams, with formats that the compiler checks.
//
// A FILE wraps a stream of the C library, so that a stream that was closed is noticed: every operation on
// it raises Null_Exception.  Functions that take a buffer and a count raise Array_bounds when the buffer is
// shorter than the count, before anything is read or written.
//
//     #include <stdlib.h>
//     #include <unistd.h>
//     // A stream to read and write, which holds a text.
//     static FILE @holding(const char ?text) {
//       FILE *f = tmpfile();
//       if (f == NULL) throw new Core::Failure("tmpfile");
//       fprintf(f, "%s", text);
//       rewind(f);
//       return f;
//     }
//     static int format(char ?@nozeroterm s, const char ?fmt, ... inject parg_t args) { return vsprintf(s, fmt, args); }
//     static int format_n(char ?@nozeroterm s, const char ?fmt, ... inject parg_t args) { return vsnprintf(s, numelts(s), fmt, args); }
//     static char ?`H formatted(const char ?fmt, ... inject parg_t args) { return vrprintf(Core::heap_region, fmt, args); }
//     static int show(FILE @f, const char ?fmt, ... inject parg_t args) { return vfprintf(f, fmt, args) + vprintf(fmt, args); }
//     static int from_text(const char ?s, const char ?fmt, ... inject sarg_t args) { return vsscanf(s, fmt, args); }
//     static int from_file(FILE @f, const char ?fmt, ... inject sarg_t args) { return vfscanf(f, fmt, args); }
//     extern "C" struct Cstdio::__abstractFILE *made_in_c(void) asm("tmpfile");
//     static int from_input(const char ?fmt, ... inject sarg_t args) { return vscanf(fmt, args); }
#ifndef _CYC_STDIO_H
#define _CYC_STDIO_H

#include <ending.h>
#include <sys/types.h>

typedef struct cyc_lib_file FILE;
typedef long fpos_t;

#define EOF (-1)
#define BUFSIZ 8192
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define L_tmpnam 20
#define L_ctermid 9
#define P_tmpdir "/tmp"

// A stream of the C library.
namespace Cstdio {
struct __abstractFILE;
}

#define stdin cyc_lib_stdin
#define stdout cyc_lib_stdout
#define stderr cyc_lib_stderr

extern "C" {
  extern FILE @`H const cyc_lib_stdin;
  extern FILE @`H const cyc_lib_stdout;
  extern FILE @`H const cyc_lib_stderr;

  // Opening and closing.  fclose of a closed stream raises Null_Exception. Without a path freopen changes the mode.
  //
  //     FILE *f = fopen("example", "w");
  //     if (f == NULL) return;
  //     FILE *again = freopen("example", "a", (FILE @`H)f);
  //     assert(again != NULL && fputs("text", again) >= 0 && fflush(again) == 0 && fclose(again) == 0);
  //     FILE *g = fdopen(dup(1), "w");
  //     FILE *h = tmpfile();
  //     if (g == NULL || h == NULL) return;
  //     FILE *same = r_freopen(Core::heap_region, "/dev/null", "r", (FILE @`H)h);
  //     assert(same == h && fclose(g) == 0 && rename("example", "other") == 0 && remove("other") == 0);
  //     FILE *p = popen("echo hello", "r");
  //     if (p == NULL) return;
  //     assert(getc(p) == 'h' && pclose(p) == 0);
  FILE *fopen(const char @path, const char @mode) asm("cyc_lib_fopen");
  FILE *fdopen(int fd, const char @mode) asm("cyc_lib_fdopen");
  FILE *freopen(const char *path, const char @mode, FILE @`H f) asm("cyc_lib_freopen");
  FILE *`r r_freopen(region_t<`r> h, const char *path, const char @mode, FILE @`r f) asm("cyc_lib_r_freopen");
  FILE *tmpfile(void) asm("cyc_lib_tmpfile");
  FILE *popen(const char @command, const char @mode) asm("cyc_lib_popen");
  int pclose(FILE @f) asm("cyc_lib_pclose");
  int fclose(FILE @f) asm("cyc_lib_fclose");
  int fflush(FILE *f) asm("cyc_lib_fflush");
  int remove(const char @path);
  int rename(const char @from, const char @to);
  // Wraps a stream that a C function made; null for null. It is ours then: fclose closes it.
  //
  //     FILE *f = fromCfile(made_in_c());
  //     if (f == NULL) return;
  //     assert(fputs("text", f) >= 0 && fclose(f) == 0);
  FILE *fromCfile(struct Cstdio::__abstractFILE *`H cf) asm("cyc_lib_from_c_file");
  // A name that no file had; copied to `s` unless that is null, Array_bounds if it has fewer than L_tmpnam bytes. mkstemp is better.
  //
  //     char ?`H name = tmpnam(NULL);
  //     char ?`H place = Core::new_string(L_tmpnam);
  //     assert(strlen(name) > 4 && tmpnam(place) == place);
  char ?`H tmpnam(char ?`H s) __attribute__((single_threaded)) asm("cyc_lib_tmpnam");

  // State.
  //
  //     FILE @f = holding("x");
  //     assert(getc(f) == 'x' && !feof(f) && getc(f) == EOF && feof(f) && !ferror(f) && fileno(f) > 2);
  //     clearerr(f);
  //     assert(!feof(f));
  //     perror("not an error");
  int feof(FILE @f) asm("cyc_lib_feof");
  int ferror(FILE @f) asm("cyc_lib_ferror");
  void clearerr(FILE @f) asm("cyc_lib_clearerr");
  int fileno(FILE @f) asm("cyc_lib_fileno");
  void perror(const char *what);

  // The buffer given to setvbuf and setbuf is only a wish for its size: the stream keeps its own.
  //
  //     FILE @f = holding("");
  //     char buffer[100] @nozeroterm = {for i < 100 : '\0'};
  //     assert(setvbuf(f, buffer, _IOFBF, 100) == 0);
  //     setbuf(f, NULL);
  int setvbuf(FILE @f, char ?@nozeroterm buf, int mode, size_t size) asm("cyc_lib_setvbuf");
  void setbuf(FILE @f, char ?@nozeroterm buf) asm("cyc_lib_setbuf");

  // Characters and lines.
  //
  //     FILE @f = holding("ab\ncd\n");
  //     char line[8] @zeroterm;
  //     assert(getc(f) == 'a' && ungetc('x', f) == 'x' && fgetc(f) == 'x' && fgets(line, 7, f) != NULL && strcmp(line, "b\n") == 0);
  //     rewind(f);
  //     assert(putc('1', f) == '1' && fputc('2', f) == '2' && fputs("3", f) >= 0);
  //     assert(putchar('c') == 'c' && puts("") >= 0 && getchar() == EOF);
  int getchar(void);
  int putchar(int c);
  int puts(const char @s);
  int fgetc(FILE @f) asm("cyc_lib_getc");
  int getc(FILE @f) asm("cyc_lib_getc");
  int ungetc(int c, FILE @f) asm("cyc_lib_ungetc");
  int fputc(int c, FILE @f) asm("cyc_lib_putc");
  int putc(int c, FILE @f) asm("cyc_lib_putc");
  int fputs(const char @s, FILE @f) asm("cyc_lib_fputs");
  char ?@nozeroterm`r fgets(char ?@nozeroterm`r s, int n, FILE @f) asm("cyc_lib_fgets");
  // Words of the machine: an int in its own bytes. EOF at the end, which may be a word too.
  //
  //     FILE @f = holding("");
  //     putw(12345, f);
  //     rewind(f);
  //     assert(getw(f) == 12345 && getw(f) == EOF);
  int getw(FILE @f) asm("cyc_lib_getw");
  int putw(int w, FILE @f) asm("cyc_lib_putw");

  // A stream for one thread alone; 0, or another number if it is another thread's. What is _unlocked does not ask.
  //
  //     FILE @f = holding("a");
  //     flockfile(f);
  //     assert(ftrylockfile(f) == 0 && getc_unlocked(f) == 'a' && getchar_unlocked() == EOF);
  //     funlockfile(f);
  //     funlockfile(f);
  //     rewind(f);
  //     assert(putc_unlocked('b', f) == 'b' && putchar_unlocked('\n') == '\n');
  void flockfile(FILE @f) asm("cyc_lib_flockfile");
  int ftrylockfile(FILE @f) asm("cyc_lib_ftrylockfile");
  void funlockfile(FILE @f) asm("cyc_lib_funlockfile");
  int getc_unlocked(FILE @f) asm("cyc_lib_getc_unlocked");
  int getchar_unlocked(void);
  int putc_unlocked(int c, FILE @f) asm("cyc_lib_putc_unlocked");
  int putchar_unlocked(int c);

  // Blocks.
  //
  //     FILE @f = holding("abcdef");
  //     char buffer[4] @nozeroterm = {' ', ' ', ' ', ' '};
  //     assert(fread(buffer, 2, 2, f) == 2 && buffer[3] == 'd');
  //     rewind(f);
  //     assert(fwrite(buffer, 1, 4, f) == 4);
  //     try { fread(buffer, 1, 5, f); assert(false); } catch { case &Array_bounds: break; }
  size_t fread(char ?@nozeroterm buf, size_t size, size_t count, FILE @f) asm("cyc_lib_fread");
  size_t fwrite(const char ?@nozeroterm buf, size_t size, size_t count, FILE @f)
      asm("cyc_lib_fwrite");

  // Position.
  //
  //     FILE @f = holding("abcdef");
  //     fpos_t place = 0;
  //     assert(fseek(f, 2, SEEK_SET) == 0 && ftell(f) == 2 && fgetpos(f, &place) == 0 && getc(f) == 'c');
  //     assert(fsetpos(f, &place) == 0 && ftello(f) == 2 && fseeko(f, -1, SEEK_END) == 0 && getc(f) == 'f');
  //     rewind(f);
  //     assert(ftell(f) == 0);
  int fseek(FILE @f, long offset, int whence) asm("cyc_lib_fseek");
  long ftell(FILE @f) asm("cyc_lib_ftell");
  int fseeko(FILE @f, off_t offset, int whence) asm("cyc_lib_fseek");
  off_t ftello(FILE @f) asm("cyc_lib_ftell");
  void rewind(FILE @f) asm("cyc_lib_rewind");
  int fgetpos(FILE @f, fpos_t @pos) asm("cyc_lib_fgetpos");
  int fsetpos(FILE @f, const fpos_t @pos) asm("cyc_lib_fsetpos");

  // Formatted output.  sprintf raises Array_bounds when the text and its final zero do not fit;
  // snprintf truncates, always terminates when n > 0, and returns the full length.
  //
  //     char buffer[16] @nozeroterm = {for i < 16 : '\0'};
  //     assert(printf("%d%c\n", 12, '!') == 4 && fprintf(stderr, "%s\n", "text") == 5);
  //     assert(sprintf(buffer, "%05.1f", 3.14) == 5 && strcmp(buffer, "003.1") == 0);
  //     assert(snprintf(buffer, 4, "%s", "longer") == 6 && strcmp(buffer, "lon") == 0);
  int printf(const char @fmt, ...) __attribute__((format(printf, 1, 2)));
  int fprintf(FILE @f, const char @fmt, ...) __attribute__((format(printf, 2, 3)))
      asm("cyc_lib_fprintf");
  int sprintf(char ?@nozeroterm s, const char @fmt, ...) __attribute__((format(printf, 2, 3)))
      asm("cyc_lib_sprintf");
  int snprintf(char ?@nozeroterm s, size_t n, const char @fmt, ...)
      __attribute__((format(printf, 3, 4))) asm("cyc_lib_snprintf");
  // The text in a fresh string of the heap, or of a region.
  //
  //     region r;
  //     assert(strcmp(aprintf("%x", 255), "ff") == 0 && strcmp(rprintf(r, "%s %s", "a", "b"), "a b") == 0);
  char ?`H aprintf(const char @fmt, ...) __attribute__((format(printf, 1, 2))) asm("cyc_lib_aprintf");
  char ?`r rprintf(region_t<`r> h, const char @fmt, ...) __attribute__((format(printf, 2, 3)))
      asm("cyc_lib_rprintf");

  // Formatted input.  %c, %s and %[ take a fat pointer and store no more than it has room for; a field
  // that is longer counts as a failure of the input.
  //
  //     int n = 0;
  //     char word[8] @zeroterm;
  //     assert(sscanf("12 apples", "%d %7s", &n, (char ?)word) == 2 && n == 12 && strcmp(word, "apples") == 0);
  //     assert(fscanf(holding("7"), "%d", &n) == 1 && n == 7 && scanf("%d", &n) == EOF);
  int scanf(const char @fmt, ...) __attribute__((format(scanf, 1, 2))) asm("cyc_lib_scanf");
  int fscanf(FILE @f, const char @fmt, ...) __attribute__((format(scanf, 2, 3)))
      asm("cyc_lib_fscanf");
  int sscanf(const char ?@nozeroterm s, const char @fmt, ...) __attribute__((format(scanf, 2, 3)))
      asm("cyc_lib_sscanf");
}

// An argument of a format, for functions that hand theirs on: `void f(const char ?fmt, ... inject parg_t args)` calls
// vfprintf(stderr, fmt, args).
datatype PrintArg<`r::E> {
  String_pa(const char ?@nozeroterm `r);
  Int_pa(unsigned long);
  Double_pa(double);
  LongDouble_pa(long double);
  ShortPtr_pa(short @`r);
  IntPtr_pa(int @`r);
  LongPtr_pa(unsigned long @`r)
};
typedef datatype PrintArg<`r> @`r parg_t<`r::E>;

// Formatted output of an array of arguments, checked at run time: Core::Invalid_argument if one does not fit its conversion,
// or a width is no `int`, Array_bounds if there are too few. A call of printf whose format is no literal is a call of vprintf, and so for each of its family.
//
//     char buffer[16] @nozeroterm = {for i < 16 : '\0'};
//     assert(strcmp(vaprintf("-", NULL), "-") == 0);
//     assert(format(buffer, "%d", 5) == 1 && format_n(buffer, "%s", "text") == 4 && strcmp(formatted("%d", 5), "5") == 0);
//     assert(show(stderr, "%c", 'x') == 2 && vprintf("-", NULL) == 1);
//     assert(vfprintf(stdout, "-", NULL) == 1 && vsprintf(buffer, "-", NULL) == 1 && vsnprintf(buffer, 2, "-", NULL) == 1);
//     assert(numelts(vrprintf(Core::heap_region, "-", NULL)) == 2);
int vfprintf(FILE @f, const char ?fmt, parg_t ?ap);
int vprintf(const char ?fmt, parg_t ?ap);
int vsprintf(char ?@nozeroterm s, const char ?fmt, parg_t ?ap);
int vsnprintf(char ?@nozeroterm s, size_t n, const char ?fmt, parg_t ?ap);
char ?`H vaprintf(const char ?fmt, parg_t ?ap);
char ?`r vrprintf(region_t<`r> h, const char ?fmt, parg_t ?ap);

// A place for what formatted input finds. Kinds of integers: signed ones have unsigned twins.
datatype ScanfArg<`r::E> {
  ShortPtr_sa(short @`r);
  UShortPtr_sa(unsigned short @`r);
  IntPtr_sa(int @`r);
  UIntPtr_sa(unsigned int @`r);
  LongPtr_sa(long @`r);
  ULongPtr_sa(unsigned long @`r);
  SCharPtr_sa(signed char @@nozeroterm `r);
  UCharPtr_sa(unsigned char @@nozeroterm `r);
  StringPtr_sa(char ?`r);
  DoublePtr_sa(double @`r);
  FloatPtr_sa(float @`r);
  CharPtr_sa(char ?@nozeroterm `r)
};
typedef datatype ScanfArg<`r1> @`r2 sarg_t<`r1::E, `r2::E>;

// Formatted input by a format that need not be a literal: Core::Invalid_argument if an argument does not fit its conversion,
// Array_bounds if there are too few. A call of scanf whose format is no literal is a call of vscanf, and so for its family.
//
//     int n = 0;
//     assert(from_text("12", "%d", &n) == 1 && n == 12 && from_file(holding("7"), "%d", &n) == 1 && from_input("%d", &n) == EOF);
//     assert(vscanf("%*d", NULL) == EOF && vfscanf(holding("1"), "%*d", NULL) == 0 && vsscanf("1", "%*d", NULL) == 0);
int vscanf(const char ?fmt, sarg_t ?ap);
int vfscanf(FILE @f, const char ?fmt, sarg_t ?ap);
int vsscanf(const char ?s, const char ?fmt, sarg_t ?ap);

// A file cannot be opened, whose name this is; a stream cannot be closed.
@extensible datatype exn { extern FileOpenError(const char ?`H); extern FileCloseError };

// fopen and fclose that raise these exceptions.
//
//     FILE @f = file_open("example", "w+");
//     file_close(f);
//     remove("example");
//     try { file_open("no/such/file", "r"); assert(false); } catch { case &FileOpenError(name): assert(strcmp(name, "no/such/file") == 0); break; }
FILE @`H file_open(const char ?fname, const char ?mode);
void file_close(FILE @f);
// Reads up to max_count bytes to position dest_offset of dest, writes as many from position src_offset of src; the number of
// bytes. Array_bounds if they are not all within.
//
//     FILE @f = holding("");
//     char ?text = strdup("abcdef");
//     assert(file_string_write(f, text, 1, 3) == 3);
//     rewind(f);
//     assert(file_string_read(f, text, 0, 3) == 3 && strcmp(text, "bcddef") == 0);
int file_string_read(FILE @f, char ?dest, int dest_offset, int max_count);
int file_string_write(FILE @f, const char ?src, int src_offset, int max_count);

#endif
