/* exact.c - classes II and III against plain division, for every class at its boundaries and at random. */
#include "check.h"

#include <string.h>

/* Compares all operations at `address` with what 64-bit division says for a slot of `size` bytes. */
static void check_at(uintptr_t address, uint64_t size, unsigned c, enum lowfat_kind kind) {
    const char *p = (const char *)address;
    uint64_t slot = address / size, offset = address % size;
    CHECK(lowfat_index(p) == address >> LOWFAT_REGION_SHIFT);
    CHECK(lowfat_size(p) == size);
    CHECK(lowfat_class(p) == c);
    CHECK(lowfat_slot(p) == slot);
    CHECK((uintptr_t)lowfat_base(p) == slot * size);
    CHECK(lowfat_offset(p) == offset);
    CHECK(lowfat_usable_size(p) == size - offset);
    CHECK(lowfat_is_base(p) == (offset == 0));
    CHECK(lowfat_is_ptr(p));
    CHECK(lowfat_is_heap_ptr(p) == (kind == LOWFAT_KIND_HEAP));
    CHECK(lowfat_is_stack_ptr(p) == (kind == LOWFAT_KIND_STACK));
    CHECK(lowfat_is_global_ptr(p) == (kind == LOWFAT_KIND_GLOBAL));
}

/* The 17 addresses around a slot boundary, and the middle. */
static void check_slot(uint64_t slot, uint64_t size, unsigned c, enum lowfat_kind kind, uintptr_t low, uintptr_t high) {
    for (int d = -8; d <= 8; d++) {
        uintptr_t address = (uintptr_t)(slot * size) + (uintptr_t)(intptr_t)d;
        if (address >= low && address < high)
            check_at(address, size, c, kind);
    }
    if (slot * size + size / 2 < high && slot * size + size / 2 >= low)
        check_at(slot * size + size / 2, size, c, kind);
}

static uint64_t checked;

static void check_region(size_t row, uint64_t *random) {
    uintptr_t low = (uintptr_t)((intptr_t)(row - LOWFAT_ROWS / 2)) << LOWFAT_REGION_SHIFT;
    uintptr_t high = low + LOWFAT_REGION_SIZE;
    uint64_t size = lowfat_sizes_[row];
    unsigned c = lowfat_map_.row[row].class_id;
    enum lowfat_kind kind = (enum lowfat_kind)lowfat_map_.row[row].kind;
    uint64_t first = (low + size - 1) / size, last = (high - 1) / size;
    CHECK(size == lowfat_class_size(c));
    for (uint64_t i = 0; i < 2000 && first + i <= last; i++) {
        check_slot(first + i, size, c, kind, low, high);
        check_slot(last - i, size, c, kind, low, high);
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t r = test_random(random);
        check_at(low + r % LOWFAT_REGION_SIZE, size, c, kind);
        check_slot(first + r % (last - first + 1), size, c, kind, low, high);
    }
    checked++;
}

/* Every slot of the classes with few slots, and every 1 MiB of the rest, at base and last byte. */
static void check_all_slots(size_t row) {
    uintptr_t low = (uintptr_t)((intptr_t)(row - LOWFAT_ROWS / 2)) << LOWFAT_REGION_SHIFT;
    uint64_t size = lowfat_sizes_[row], first = (low + size - 1) / size;
    uint64_t slots = (low + LOWFAT_REGION_SIZE) / size - first, stride = slots / 200000 + 1;
    for (uint64_t i = 0; i < slots; i += stride) {
        uintptr_t base = (first + i) * size;
        CHECK((uintptr_t)lowfat_base((char *)base) == base);
        CHECK((uintptr_t)lowfat_base((char *)(base + size - 1)) == base);
    }
}

static void not_lowfat(uintptr_t address) {
    const void *p = (const void *)address;
    CHECK(lowfat_size(p) == SIZE_MAX && lowfat_base(p) == NULL && lowfat_offset(p) == address);
    CHECK(lowfat_usable_size(p) == SIZE_MAX - address);
    CHECK(!lowfat_is_ptr(p) && !lowfat_is_heap_ptr(p) && !lowfat_is_stack_ptr(p) && !lowfat_is_global_ptr(p));
    CHECK(!lowfat_is_base(p) && lowfat_class(p) == 0 && lowfat_slot(p) == 0);
}

static int global;

static void check_foreign(void) {
    int local;
    not_lowfat(0);
    not_lowfat(1);
    not_lowfat((uintptr_t)&local);
    not_lowfat((uintptr_t)&global);
    not_lowfat((uintptr_t)&check_foreign);
    not_lowfat((uintptr_t)(intptr_t)-1); /* MAP_FAILED */
    not_lowfat(0xffffffffff600000);      /* vsyscall */
    not_lowfat(0x7fffffffffff);
    not_lowfat(0xffff800000000000);
    CHECK(lowfat_is_canonical(0) && lowfat_is_canonical(0x7fffffffffff) && lowfat_is_canonical((uintptr_t)-1));
    CHECK(!lowfat_is_canonical(0x800000000000) && !lowfat_is_canonical(0xdeadbeefdeadbeef));
    CHECK(!lowfat_is_canonical(0xffff7fffffffffff) && lowfat_is_canonical(0xffff800000000000));
}

/* The class arithmetic of the header: increasing sizes, tight, waste bounded. */
static void check_classes(void) {
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        size_t size = lowfat_class_size(c);
        CHECK(size % 16 == 0 && size > lowfat_class_size(c - 1));
        CHECK(lowfat_class_of_size(size) == c);
        CHECK(lowfat_class_of_size(lowfat_class_size(c - 1) + 1) == c);
        if (size > 128 && size <= 16384) /* at most one ninth of a slot is padding */
            CHECK((size - lowfat_class_size(c - 1)) * 9 <= size);
        if (size > 16384 && size <= 131072)
            CHECK((size - lowfat_class_size(c - 1)) * 5 <= size);
    }
    for (size_t n = 1; n <= 200000; n++) {
        unsigned c = lowfat_class_of_size(n);
        CHECK(lowfat_class_size(c) >= n && lowfat_class_size(c - 1) < n);
    }
    CHECK(lowfat_class_of_size(0) == 1);
    CHECK(lowfat_class_of_size(SIZE_MAX) == LOWFAT_CLASS_HUGE && lowfat_class_size(LOWFAT_CLASS_HUGE) == 0);
}

/* Every class is served by its own region, through malloc's own table too. */
static void check_requests(void) {
    for (unsigned c = 1; c <= 76; c++)
        for (size_t n = lowfat_class_size(c - 1) + 1; n <= lowfat_class_size(c);
             n += (lowfat_class_size(c) - lowfat_class_size(c - 1) - 1) / 3 + 1) {
            char *p = lowfat_malloc(n);
            CHECK(p != NULL && lowfat_class(p) == c && lowfat_base(p + n - 1) == p);
            lowfat_free(p);
        }
}

int main(void) {
    uint64_t random = 20260101;
    CHECK(lowfat_mode() == LOWFAT_MODE_ARENA);
    check_classes();
    check_foreign();
    for (size_t row = 0; row < LOWFAT_ROWS; row++)
        if (lowfat_map_.row[row].kind != LOWFAT_KIND_NONE) {
            check_region(row, &random);
            check_all_slots(row);
        }
    CHECK(checked == LOWFAT_CLASSES + 76);
    check_requests();
    printf("exact: %llu regions\n", (unsigned long long)checked);
    return 0;
}
