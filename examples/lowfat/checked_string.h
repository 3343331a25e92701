/* Manual bounds checks (Duck and Yap, section 4.1, figure 4b): copying functions that ask
 * the pointer how much room there is, once per call, instead of trusting the caller.
 *
 * The room is the slot's, so up to the padding of the size class may be overrun unnoticed;
 * what lies behind the slot may not. Pointers that are not low-fat have unlimited room: the
 * functions then are their namesakes of <string.h>.
 *
 * A call that would read or write outside an object is reported (lowfat_report, which aborts
 * unless a handler is installed) and does nothing; it returns NULL, or -1 for the printing
 * functions. Nothing is written in part.
 */
#ifndef CHECKED_STRING_H
#define CHECKED_STRING_H

#include <lowfat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* True when the n bytes at p lie in p's object; reports otherwise. An empty range is fine
 * anywhere, also one past the end. */
static inline int lowfat_fits(const void *p, size_t n, const char *operation) {
    if (__builtin_expect(n == 0 || n <= lowfat_usable_size(p), 1)) return 1;
    lowfat_report(LOWFAT_ERROR_BOUNDS, operation, p);
    return 0;
}

static inline void *lowfat_memcpy(void *to, const void *from, size_t n) {
    if (!lowfat_fits(to, n, "memcpy") || !lowfat_fits(from, n, "memcpy")) return NULL;
    return memcpy(to, from, n);
}

static inline void *lowfat_memmove(void *to, const void *from, size_t n) {
    if (!lowfat_fits(to, n, "memmove") || !lowfat_fits(from, n, "memmove")) return NULL;
    return memmove(to, from, n);
}

static inline void *lowfat_memset(void *to, int byte, size_t n) {
    if (!lowfat_fits(to, n, "memset")) return NULL;
    return memset(to, byte, n);
}

/* Length of a string whose terminator lies in its object; SIZE_MAX, reported, when it runs
 * out of the object instead. */
static inline size_t lowfat_strlen_in(const char *s, const char *operation) {
    size_t room = lowfat_usable_size(s);
    size_t length = strnlen(s, room);
    if (__builtin_expect(length < room, 1)) return length;
    lowfat_report(LOWFAT_ERROR_BOUNDS, operation, s);
    return SIZE_MAX;
}

static inline size_t lowfat_strlen(const char *s) { return lowfat_strlen_in(s, "strlen"); }

static inline char *lowfat_strcpy(char *to, const char *from) {
    size_t length = lowfat_strlen_in(from, "strcpy");
    if (length == SIZE_MAX || !lowfat_fits(to, length + 1, "strcpy")) return NULL;
    memcpy(to, from, length + 1);
    return to;
}

/* Returns the end of the copy. */
static inline char *lowfat_stpcpy(char *to, const char *from) {
    size_t length = lowfat_strlen_in(from, "stpcpy");
    if (length == SIZE_MAX || !lowfat_fits(to, length + 1, "stpcpy")) return NULL;
    memcpy(to, from, length + 1);
    return to + length;
}

/* Length of at most n characters, all of them in the object. */
static inline size_t lowfat_strnlen_in(const char *s, size_t n, const char *operation) {
    size_t room = lowfat_usable_size(s);
    size_t length = strnlen(s, n < room ? n : room);
    if (__builtin_expect(length < room || length == n, 1)) return length;
    lowfat_report(LOWFAT_ERROR_BOUNDS, operation, s);
    return SIZE_MAX;
}

/* As strncpy: always writes n bytes, so all of them need room. */
static inline char *lowfat_strncpy(char *to, const char *from, size_t n) {
    if (!lowfat_fits(to, n, "strncpy") || lowfat_strnlen_in(from, n, "strncpy") == SIZE_MAX) return NULL;
    return strncpy(to, from, n);
}

static inline char *lowfat_strcat(char *to, const char *from) {
    size_t there = lowfat_strlen_in(to, "strcat"), length = lowfat_strlen_in(from, "strcat");
    if (there == SIZE_MAX || length == SIZE_MAX || !lowfat_fits(to, there + length + 1, "strcat")) return NULL;
    memcpy(to + there, from, length + 1);
    return to;
}

static inline char *lowfat_strncat(char *to, const char *from, size_t n) {
    size_t there = lowfat_strlen_in(to, "strncat"), length = lowfat_strnlen_in(from, n, "strncat");
    if (there == SIZE_MAX || length == SIZE_MAX || !lowfat_fits(to, there + length + 1, "strncat")) return NULL;
    memcpy(to + there, from, length);
    to[there + length] = '\0';
    return to;
}

/* Prints what fits; text that does not fit is reported and the buffer left empty. */
static inline int lowfat_vsprintf(char *to, const char *format, va_list arguments) {
    size_t room = lowfat_usable_size(to);
    size_t limit = room < INT32_MAX ? room : INT32_MAX;
    int length = vsnprintf(to, limit, format, arguments);
    if (length >= 0 && (size_t)length < limit) return length;
    if (limit > 0) to[0] = '\0';
    lowfat_report(LOWFAT_ERROR_BOUNDS, "sprintf", to);
    return -1;
}

__attribute__((format(printf, 2, 3))) static inline int lowfat_sprintf(char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = lowfat_vsprintf(to, format, arguments);
    va_end(arguments);
    return length;
}

/* snprintf whose stated size must be true. */
__attribute__((format(printf, 3, 4))) static inline int lowfat_snprintf(char *to, size_t n, const char *format, ...) {
    if (!lowfat_fits(to, n, "snprintf")) return -1;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, n, format, arguments);
    va_end(arguments);
    return length;
}

static inline char *lowfat_fgets(char *to, int n, FILE *file) {
    if (n < 0 || !lowfat_fits(to, (size_t)n, "fgets")) return NULL;
    return fgets(to, n, file);
}

static inline size_t lowfat_fread(void *to, size_t size, size_t count, FILE *file) {
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes)) bytes = SIZE_MAX;
    return lowfat_fits(to, bytes, "fread") ? fread(to, size, count, file) : 0;
}

#endif
