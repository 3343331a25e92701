/* stack.c - low-fat stack objects: scopes, every way to leave one, interior pointers, threads, exhaustion. */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static void check_object(const char *p, size_t size) {
    CHECK(p != NULL);
    if (lowfat_mode() == LOWFAT_MODE_PLAIN)
        return;
    CHECK(lowfat_is_stack_ptr(p) && lowfat_is_ptr(p) && !lowfat_is_heap_ptr(p) && !lowfat_is_global_ptr(p));
    CHECK(lowfat_size(p) > size && lowfat_base(p) == p);
    for (size_t i = 0; i <= size; i += size / 7 + 1)
        CHECK(lowfat_base(p + i) == p && lowfat_offset(p + i) == i && lowfat_usable_size(p + i) == lowfat_size(p) - i);
    CHECK(lowfat_base(p + size) == p); /* one past the end */
}

static int by_return(int depth) {
    LOWFAT_STACK_ARRAY(char, buffer, 100);
    check_object(buffer, 100);
    memset(buffer, depth, 100);
    if (depth > 0 && by_return(depth - 1) < 0)
        return -1;
    for (int i = 0; i < 100; i++)
        CHECK(buffer[i] == (char)depth);
    return depth;
}

static void by_break_and_goto(void) {
    size_t before = lowfat_stack_mark();
    for (int i = 0; i < 10; i++) {
        LOWFAT_STACK_OBJECT(long, number);
        *number = i;
        CHECK(lowfat_stack_mark() == before + 1);
        if (i == 5)
            break;
        if (i == 3)
            continue;
    }
    CHECK(lowfat_stack_mark() == before);
    {
        LOWFAT_STACK_ARRAY(int, v, 10);
        v[0] = 1;
        if (v[0] == 1)
            goto out;
    }
out:
    CHECK(lowfat_stack_mark() == before);
}

static void by_scope(size_t n) {
    LOWFAT_STACK_SCOPE();
    for (size_t i = 0; i < n; i++) {
        char *p = lowfat_alloca(i);
        check_object(p, i);
        memset(p, (int)i, i);
    }
}

static LOWFAT_JMP_BUF(environment);
static jmp_buf plain_environment;

static void jump_from(int depth) {
    LOWFAT_STACK_ARRAY(char, buffer, 64);
    buffer[0] = (char)depth;
    if (depth > 0)
        jump_from(depth - 1);
    lowfat_longjmp(environment);
}

static void jump_plainly(int depth) {
    LOWFAT_STACK_ARRAY(char, buffer, 64);
    buffer[0] = (char)depth;
    if (depth > 0)
        jump_plainly(depth - 1);
    longjmp(plain_environment, 1);
}

static void by_longjmp(void) {
    size_t before = lowfat_stack_mark();
    for (volatile int i = 0; i < 1000; i++) {
        if (lowfat_setjmp(environment) == 0)
            jump_from(20);
        CHECK(lowfat_stack_mark() == before);
    }
    /* After a plain longjmp the next scope around it cleans up. */
    for (volatile int i = 0; i < 1000; i++) {
        LOWFAT_STACK_SCOPE();
        if (setjmp(plain_environment) == 0)
            jump_plainly(20);
    }
    CHECK(lowfat_stack_mark() == before);
}

static void exhaustion(void) {
    size_t before = lowfat_stack_mark();
    errno = 0;
    CHECK(lowfat_alloca(LOWFAT_STACK_MAX) == NULL && errno == ENOMEM);
    {
        LOWFAT_STACK_SCOPE();
        size_t count = 0;
        errno = 0;
        while (lowfat_mode() != LOWFAT_MODE_PLAIN && lowfat_alloca(100000) != NULL)
            count++;
        if (lowfat_mode() != LOWFAT_MODE_PLAIN)
            CHECK(count >= 2 && errno == ENOMEM);
        check_object(lowfat_alloca(10), 10); /* other classes are not concerned */
    }
    CHECK(lowfat_stack_mark() == before);
}

static void *in_thread(void *argument) {
    size_t id = (size_t)argument;
    for (int round = 0; round < 20; round++) {
        LOWFAT_STACK_ARRAY(size_t, v, 1000);
        check_object((char *)v, 8000);
        for (int i = 0; i < 1000; i++)
            v[i] = id;
        by_return(10);
        for (int i = 0; i < 1000; i++)
            CHECK(v[i] == id);
    }
    char *left = lowfat_alloca(50); /* released by the thread's end */
    left[0] = 1;
    return NULL;
}

static void threads(void) {
    struct lowfat_stats stats;
    for (int round = 0; round < 100; round++) {
        pthread_t thread[8];
        for (size_t i = 0; i < 8; i++)
            CHECK(pthread_create(&thread[i], NULL, in_thread, (void *)i) == 0);
        for (int i = 0; i < 8; i++)
            pthread_join(thread[i], NULL);
    }
    lowfat_stats(&stats);
    CHECK(stats.stack_bytes == 0);
}

int main(void) {
    CHECK(by_return(200) == 200);
    by_break_and_goto();
    by_scope(500);
    by_longjmp();
    exhaustion();
    threads();
    puts("stack: ok");
    return 0;
}
