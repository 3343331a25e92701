/* overcommit-init.c - the first process of the virtual machine of overcommit.sh: forbids overcommit, runs the tests that lie
 * beside it, prints one line for each, and switches the machine off. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

static void run(const char *program, const char *argument) {
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        execl(program, program, argument, (char *)0);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("overcommit: %s %s: status %d\n", program, argument ? argument : "", status);
    fflush(stdout);
    failures += status != 0;
}

int main(void) {
    mount("proc", "/proc", "proc", 0, 0);
    mount("devtmpfs", "/dev", "devtmpfs", 0, 0);
    int console = open("/dev/console", O_RDWR), setting = open("/proc/sys/vm/overcommit_memory", O_RDWR);
    char now = 0;
    dup2(console, 0), dup2(console, 1), dup2(console, 2);
    if (write(setting, "2", 1) == 1 && lseek(setting, 0, SEEK_SET) == 0 && read(setting, &now, 1) == 1 && now == '2') {
        run("/process", "mode");
        run("/process", 0);
        run("/process", "limited");
        run("/threads", 0);
        run("/stack", 0);
        run("/stress", "10");
        printf("overcommit: %s\n", failures == 0 ? "all tests passed" : "FAILED");
    } else {
        printf("overcommit: FAILED: the setting cannot be changed\n");
    }
    fflush(stdout);
    sync();
    reboot(RB_POWER_OFF);
}
