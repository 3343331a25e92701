/* options.c - LOWFAT_OPTIONS: name=value pairs separated by commas, colons or blanks.
 *
 *   exact=1        record the size asked for; check the bytes between it and the slot's end when the object is freed
 *   quarantine=N   keep freed objects, up to N bytes (suffix k, m, g), from being reused
 *   fill=1         overwrite freed objects; with a quarantine, writes to freed objects are found
 *   randomise=1    hand out the slots of a span in random order
 *   guards=1       unreadable pages between spans of larger objects and behind large objects
 *   past_end=1     every object's one-past-the-end pointer lies in its slot
 *   stats=1        print statistics at exit
 *   decay=MS       return memory that was free for so many milliseconds (default 20)
 *   keep=N         keep so much free memory resident however much is in use (default 4m); above the default, also what threads
 *                  leave when they end
 *   arena=full|grown|plain   how to obtain address space (for tests)
 *
 * An option that is not known or has no sensible value is reported on standard error and ignored. */
#define _GNU_SOURCE
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

struct lowfat_options lowfat_options = {.decay = 20, .keep = LOWFAT_KEEP};

static void complain(const char *variable, const char *item, size_t length) {
    struct lowfat_text text = {.fd = 2};
    char name[64];
    size_t n = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, item, n);
    name[n] = '\0';
    lowfat_text_put(&text, "lowfat: ");
    lowfat_text_put(&text, variable);
    lowfat_text_put(&text, ": ignored: ");
    lowfat_text_put(&text, name);
    lowfat_text_put(&text, "\n");
    lowfat_text_flush(&text);
}

bool lowfat_option_number(const char *s, size_t length, uint64_t *value) {
    uint64_t n = 0;
    size_t i = 0;
    for (; i < length && s[i] >= '0' && s[i] <= '9'; i++) {
        if (n > (UINT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (uint64_t)(s[i] - '0');
    }
    if (i == 0)
        return false;
    if (i + 1 == length) {
        unsigned shift = s[i] == 'k' ? 10 : s[i] == 'm' ? 20 : s[i] == 'g' ? 30 : 0;
        if (shift == 0 || n > UINT64_MAX >> shift)
            return false;
        n <<= shift;
        i++;
    }
    *value = n;
    return i == length;
}

static bool flag(const char *s, size_t length, bool *value) {
    if (length != 1 || (*s != '0' && *s != '1'))
        return false;
    *value = *s == '1';
    return true;
}

static bool arena(const char *s, size_t length, int *value) {
    static const char *const names[] = {"full", "grown", "plain"};
    for (int i = 0; i < 3; i++)
        if (strlen(names[i]) == length && memcmp(names[i], s, length) == 0) {
            *value = i;
            return true;
        }
    return false;
}

static bool set(const char *name, size_t name_length, const char *value, size_t length) {
    struct lowfat_options *o = &lowfat_options;
    const struct {
        const char *name;
        bool *flag;
        uint64_t *number;
    } known[] = {
        {"exact", &o->exact, 0},         {"quarantine", 0, &o->quarantine}, {"fill", &o->fill, 0},
        {"randomise", &o->randomise, 0}, {"randomize", &o->randomise, 0},   {"guards", &o->guards, 0},
        {"past_end", &o->past_end, 0},   {"stats", &o->stats, 0},           {"decay", 0, &o->decay},
        {"keep", 0, &o->keep},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == name_length && memcmp(known[i].name, name, name_length) == 0)
            return known[i].flag ? flag(value, length, known[i].flag) : lowfat_option_number(value, length, known[i].number);
    return name_length == 5 && memcmp(name, "arena", 5) == 0 && arena(value, length, &o->arena);
}

static void parse(const char *variable, const char *s, lowfat_option_setter *set_option) {
    while (*s) {
        size_t length = strcspn(s, ",: \t\n");
        const char *equals = memchr(s, '=', length);
        if (length > 0 &&
            (!equals || !set_option(s, (size_t)(equals - s), equals + 1, length - (size_t)(equals + 1 - s))))
            complain(variable, s, length);
        s += length;
        s += strspn(s, ",: \t\n");
    }
}

extern char **environ;

/* getenv may not work yet, and a program with privileges must not be steered by its environment. */
void lowfat_options_read(const char *variable, lowfat_option_setter *set_option) {
    size_t length = strlen(variable);
    if (getauxval(AT_SECURE) == 0 && environ)
        for (char **e = environ; *e; e++)
            if (strncmp(*e, variable, length) == 0 && (*e)[length] == '=')
                parse(variable, *e + length + 1, set_option);
}

void lowfat_options_init(void) {
    lowfat_options_read("LOWFAT_OPTIONS", set);
    struct lowfat_options *o = &lowfat_options;
    o->hardened = o->exact || o->fill || o->randomise || o->guards || o->quarantine > 0;
#ifdef LOWFAT_OF_CYCLONE
    o->hardened |= o->past_end; /* emitted code knows the classes of sizes (lowfat_slot.h) */
#else
    if (o->past_end) /* a unit more, for a byte more: malloc's fast path has no time to ask */
        memmove(lowfat_fast.class_of_16, lowfat_fast.class_of_16 + 1, sizeof lowfat_fast.class_of_16 - 1);
#endif
}
