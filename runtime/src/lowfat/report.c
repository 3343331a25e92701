/* report.c - what the user sees when the heap is misused.  Nothing here allocates. */
#define _GNU_SOURCE
#include "internal.h"

#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

/* ---- text without allocation ---- */

void lowfat_text_flush(struct lowfat_text *text) {
    if (text->used > 0)
        lowfat_os_write(text->fd, text->buffer, text->used, &text->failed);
    text->used = 0;
}

void lowfat_text_put(struct lowfat_text *text, const char *string) {
    for (; *string; string++) {
        if (text->used == sizeof text->buffer)
            lowfat_text_flush(text);
        text->buffer[text->used++] = *string;
    }
}

/* Right-justified in `width` columns. */
void lowfat_text_number(struct lowfat_text *text, uint64_t value, int width) {
    char digits[32];
    int at = (int)sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while ((int)sizeof digits - 1 - at < width && at > 0)
        digits[--at] = ' ';
    lowfat_text_put(text, digits + at);
}

void lowfat_text_hex(struct lowfat_text *text, uint64_t value) {
    char digits[20];
    int at = (int)sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[value % 16];
    while ((value /= 16) != 0);
    lowfat_text_put(text, "0x");
    lowfat_text_put(text, digits + at);
}

/* ---- the report ---- */

static _Atomic(lowfat_error_handler *) handler;

LOWFAT_API lowfat_error_handler *lowfat_set_error_handler(lowfat_error_handler *new_handler) LOWFAT_NOEXCEPT_ {
    return atomic_exchange(&handler, new_handler);
}

static const char *describe(enum lowfat_error error) {
    switch (error) {
    case LOWFAT_ERROR_DOUBLE_FREE: return "double free: the object is free already";
    case LOWFAT_ERROR_INTERIOR_FREE: return "the pointer is not the base of its object";
    case LOWFAT_ERROR_STACK_FREE: return "the object is on the stack";
    case LOWFAT_ERROR_GLOBAL_FREE: return "the object is global";
    case LOWFAT_ERROR_FOREIGN_FREE: return "the pointer is not from this allocator";
    case LOWFAT_ERROR_UNALLOCATED_FREE: return "no object was ever allocated there";
    case LOWFAT_ERROR_SIZE_MISMATCH: return "size or alignment does not fit the object";
    case LOWFAT_ERROR_OVERFLOW: return "memory behind the object was overwritten";
    case LOWFAT_ERROR_USE_AFTER_FREE: return "the object was written to after it was freed";
    case LOWFAT_ERROR_BOUNDS: return "access outside the object";
    case LOWFAT_ERROR_TRACED_FREE: return "the object is the collector's";
    }
    return "unknown error";
}

static const char *kind_name(enum lowfat_kind kind) {
    static const char *const names[] = {"not low-fat", "heap", "stack", "global", "traced"};
    return names[kind];
}

static void print_report(const struct lowfat_error_info *info) {
    struct lowfat_text text = {.fd = 2};
    lowfat_text_put(&text, "lowfat: ");
    lowfat_text_put(&text, info->operation);
    lowfat_text_put(&text, "(");
    lowfat_text_hex(&text, (uintptr_t)info->ptr);
    lowfat_text_put(&text, "): ");
    lowfat_text_put(&text, describe(info->error));
    lowfat_text_put(&text, "\n  kind   ");
    lowfat_text_put(&text, kind_name(info->kind));
    if (info->base) {
        lowfat_text_put(&text, "\n  base   ");
        lowfat_text_hex(&text, (uintptr_t)info->base);
        lowfat_text_put(&text, "\n  offset ");
        lowfat_text_number(&text, (uintptr_t)info->ptr - (uintptr_t)info->base, 0);
        lowfat_text_put(&text, "\n  size   ");
        lowfat_text_number(&text, info->size, 0);
        lowfat_text_put(&text, "\n  class  ");
        lowfat_text_number(&text, info->class_id, 0);
    }
    lowfat_text_put(&text, "\n  called from\n");
    lowfat_text_flush(&text);
    /* backtrace() may allocate when it is first used (it loads libgcc); the heap is sound, so that is fine. */
    void *frames[32];
    int count = backtrace(frames, 32);
    backtrace_symbols_fd(frames, count, 2);
}

void lowfat_broken(const char *condition, const char *file, unsigned line) {
    struct lowfat_text text = {.fd = 2};
    lowfat_text_put(&text, "lowfat: this does not hold: ");
    lowfat_text_put(&text, condition);
    lowfat_text_put(&text, ", ");
    lowfat_text_put(&text, file);
    lowfat_text_put(&text, ":");
    lowfat_text_number(&text, line, 0);
    lowfat_text_put(&text, "\n");
    lowfat_text_flush(&text);
    abort();
}

COLD void lowfat_error_at(enum lowfat_error error, const char *operation, const volatile void *ptr) {
    struct lowfat_error_info info = {.error = error, .operation = operation, .ptr = (const void *)ptr, .size = SIZE_MAX};
    if (lowfat_is_canonical((uintptr_t)ptr)) {
        info.base = lowfat_base(ptr);
        info.size = lowfat_size(ptr);
        info.class_id = lowfat_class(ptr);
        info.kind = (enum lowfat_kind)lowfat_map_.row[lowfat_row_(ptr)].kind;
    }
    lowfat_error_handler *call = atomic_load(&handler);
    if (call) {
        call(&info);
        return;
    }
    print_report(&info);
    abort();
}

LOWFAT_API void lowfat_report(enum lowfat_error error, const char *operation, const volatile void *ptr) LOWFAT_NOEXCEPT_ {
    lowfat_error_at(error, operation, ptr);
}
