/* What the tests of the examples share. */
#ifndef EXAMPLES_LOWFAT_CHECK_H
#define EXAMPLES_LOWFAT_CHECK_H

#include <lowfat.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

/* malloc whose result the compiler knows nothing about: it would warn of, or even use, the errors
 * that the tests make on purpose. */
static inline void *opaque_malloc(size_t size) {
    void *p = malloc(size);
    __asm__("" : "+r"(p));
    CHECK(p != NULL);
    return p;
}

/* The last error that the library reported while `record_error` was its handler. */
static struct lowfat_error_info last_error;
static int errors;

static inline void record_error(const struct lowfat_error_info *info) {
    last_error = *info;
    errors++;
}

/* Runs `statement` and checks that it was reported as `expected`, once, for address `about`. */
#define CHECK_REPORTS(expected, about, statement)                                     \
    do {                                                                              \
        int before_ = errors;                                                         \
        lowfat_error_handler *old_ = lowfat_set_error_handler(record_error);          \
        statement;                                                                    \
        lowfat_set_error_handler(old_);                                               \
        CHECK(errors == before_ + 1);                                                 \
        CHECK(last_error.error == (expected));                                        \
        CHECK(last_error.ptr == (const void *)(about));                               \
    } while (0)

/* Runs `act` in a child process with nothing installed and checks that it is aborted with a
 * report that contains `needle`. */
static inline void check_aborts(void (*act)(void), const char *needle) {
    int pipe_ends[2], status;
    CHECK(pipe(pipe_ends) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(pipe_ends[1], 2);
        act();
        _exit(0);
    }
    close(pipe_ends[1]);
    char text[8192];
    size_t length = 0;
    for (ssize_t n; length < sizeof text - 1 && (n = read(pipe_ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)n;
    text[length] = '\0';
    close(pipe_ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    if (!strstr(text, needle)) {
        fprintf(stderr, "the report does not say \"%s\":\n%s", needle, text);
        exit(1);
    }
}

#endif
