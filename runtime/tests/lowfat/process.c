/* process.c - what the process looks like from outside: number of mappings, what a core dump would hold, limits. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int count_maps(void) {
    FILE *f = fopen("/proc/self/maps", "r");
    int lines = 0, c;
    CHECK(f != NULL);
    while ((c = getc(f)) != EOF)
        lines += c == '\n';
    fclose(f);
    return lines;
}

/* Bytes of mappings that would go into a core dump (no "dd" among the flags). */
static uint64_t dumped(void) {
    FILE *f = fopen("/proc/self/smaps", "r");
    char line[512];
    uint64_t size = 0, total = 0;
    CHECK(f != NULL);
    while (fgets(line, sizeof line, f)) {
        unsigned long long kb;
        if (sscanf(line, "Size: %llu kB", &kb) == 1)
            size = kb * 1024;
        else if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " dd") == NULL)
            total += size;
    }
    fclose(f);
    return total;
}

/* 100,000 live objects of 20 KB. */
static void many_medium(void) {
    static char *objects[100000];
    int before = count_maps();
    for (int i = 0; i < 100000; i++) {
        objects[i] = lowfat_malloc(20000);
        CHECK(objects[i] != NULL);
        objects[i][0] = (char)i;
    }
    for (int i = 0; i < 100000; i++)
        CHECK(objects[i][0] == (char)i && lowfat_base(objects[i] + 19999) == objects[i]);
    int during = count_maps();
    printf("process: %d mappings before, %d with 100000 objects of 20000 bytes\n", before, during);
    CHECK(during - before < 50);
    CHECK(dumped() < (uint64_t)100000 * 20480 * 3 / 2 + (256 << 20));
    for (int i = 0; i < 100000; i++)
        lowfat_free(objects[i]);
}

static void small_core(void) {
    for (size_t size = 16; size < 4000000; size = size * 3 / 2)
        lowfat_free(lowfat_malloc(size));
    printf("process: a core dump would hold %llu MB\n", (unsigned long long)(dumped() >> 20));
    CHECK(dumped() < 128 << 20);
}

/* Allocates until memory is out: null and ENOMEM, and everything still works afterwards. */
static void exhaust(size_t size) {
    struct link {
        struct link *next;
    } *list = NULL, *link;
    size_t count = 0;
    errno = 0;
    while (count < 100000000 && (link = lowfat_malloc(size)) != NULL) {
        link->next = list;
        list = link;
        count++;
        if (lowfat_mode() != LOWFAT_MODE_PLAIN)
            CHECK(lowfat_base((char *)link + size - 1) == link);
    }
    CHECK(link == NULL && errno == ENOMEM && count > 0);
    void *p = (void *)1;
    CHECK(lowfat_posix_memalign(&p, 4096, 1 << 30) == ENOMEM && p == (void *)1);
    CHECK(lowfat_calloc(1, 1 << 30) == NULL);
    while ((link = list) != NULL) {
        list = link->next;
        lowfat_free(link);
    }
    void *again = lowfat_malloc(size);
    CHECK(again != NULL);
    lowfat_free(again);
}

static const char *const modes[] = {"arena", "grown", "plain"};

/* Runs in a process whose limits the caller has set: process limited */
static void limited(void) {
    printf("process: mode %s\n", modes[lowfat_mode()]);
    static const size_t sizes[] = {24, 1000, 20000, 300000, 5000000};
    for (int i = 0; i < 5; i++)
        exhaust(sizes[i]);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "limited") == 0) {
        limited();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "mode") == 0) {
        CHECK(lowfat_malloc(10) != NULL);
        puts(modes[lowfat_mode()]);
        return 0;
    }
    small_core();
    many_medium();
    return 0;
}
