/* launch: run one command and report what it cost.
 *
 *   launch RESULT TIMEOUT_SECONDS [NAME=VALUE ...] -- COMMAND [ARG ...]
 *
 * Writes one line to the file RESULT:
 *   wall_ns user_us system_us peak_rss_kib minor_faults major_faults status timed_out
 * where status is wait(2)'s. Exit code 0 when the line was written, whatever
 * the command did; 1 when the command could not be started.
 *
 * Why a program of its own and not wait4() in the caller: Linux carries the
 * peak resident set of the process that calls execve over into the new
 * program's ru_maxrss (also after vfork), so a child of a large process never
 * reports less than its parent. This one is a few hundred kilobytes.
 *
 * Why it traces the command: since Linux 6.2 each processor counts resident pages by
 * itself and tells the others of 32 at a time. ru_maxrss is read without what they keep
 * to themselves, which is up to a fifth of a small program. VmHWM in /proc, read while
 * the command is stopped at its exit, is exact as far as that is the peak. The larger of
 * the two counts; without permission to trace, and for what the command's own
 * children use, that is ru_maxrss.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child_group;
static volatile sig_atomic_t timed_out;

static void on_alarm(int sig) {
    (void)sig;
    timed_out = 1;
    kill(-child_group, SIGKILL);
}

static void on_stop(int sig) {
    kill(-child_group, SIGKILL);
    _exit(128 + sig);
}

/* In the child: become the command, or send errno up the pipe. */
static void become(char **env, char **command, int report) {
    setpgid(0, 0);
    for (; strcmp(*env, "--") != 0; env++) putenv(*env);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execvp(command[0], command);
    int error = errno;
    ssize_t ignored = write(report, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* The peak resident set of a process that has not ended, in KiB; 0 when it cannot be told. */
static long peak_so_far(pid_t pid) {
    char path[32], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *status = fopen(path, "r");
    if (!status) return 0;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
    fclose(status);
    return kib;
}

/* Waits for the end of the command, which stops when it has been started, at every signal, at each further exec (a shell's
 * "exec program") and at its exit. Returns wait4's result; raises ru_maxrss to what was seen. */
static pid_t await(pid_t child, int *status, struct rusage *usage) {
    int started = 0;
    long peak = 0;
    pid_t pid;
    while ((pid = wait4(child, status, 0, usage)) == child && WIFSTOPPED(*status)) {
        int signal = WSTOPSIG(*status);
        if (*status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
            peak = peak_so_far(child);
            signal = 0;
        } else if (*status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
            signal = 0;
        } else if (signal == SIGTRAP && !started) {
            /* Without TRACEEXEC, the trap of a further exec could not be told from a SIGTRAP of the command's own. */
            ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)(PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
            started = 1;
            signal = 0;
        }
        ptrace(PTRACE_CONT, child, NULL, (void *)(long)signal);
    }
    if (usage->ru_maxrss < peak) usage->ru_maxrss = peak;
    return pid;
}

int main(int argc, char **argv) {
    int dash = 3;
    while (dash < argc && strcmp(argv[dash], "--") != 0) dash++;
    if (dash + 1 >= argc) {
        fprintf(stderr, "usage: launch RESULT TIMEOUT_SECONDS [NAME=VALUE ...] -- COMMAND [ARG ...]\n");
        return 1;
    }
    char **command = argv + dash + 1;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return perror("pipe"), 1;

    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child < 0) return perror("fork"), 1;
    if (child == 0) become(argv + 3, command, report[1]);
    setpgid(child, child); /* both sides, so that neither races */
    child_group = child;
    close(report[1]);

    struct sigaction alarm_action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct sigaction stop_action = {.sa_handler = on_stop};
    sigaction(SIGALRM, &alarm_action, NULL);
    sigaction(SIGINT, &stop_action, NULL);
    sigaction(SIGTERM, &stop_action, NULL);
    alarm((unsigned)strtoul(argv[2], NULL, 10));

    int status;
    struct rusage usage;
    if (await(child, &status, &usage) != child) return perror("wait4"), 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    alarm(0);

    int error;
    if (read(report[0], &error, sizeof error) == (ssize_t)sizeof error) {
        fprintf(stderr, "cannot run %s: %s\n", command[0], strerror(error));
        return 1;
    }
    FILE *out = fopen(argv[1], "w");
    if (!out) return perror(argv[1]), 1;
    long long wall = (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec);
    fprintf(out, "%lld %lld %lld %ld %ld %ld %d %d\n", wall,
            usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec,
            usage.ru_stime.tv_sec * 1000000LL + usage.ru_stime.tv_usec,
            usage.ru_maxrss, usage.ru_minflt, usage.ru_majflt, status, (int)timed_out);
    return fclose(out) == 0 ? 0 : 1;
}
