/* words.c [THOUSANDS] - counts words of a made-up text in a hash table that grows, with strings built piece by piece, and
 * keeps the most recent thousand lines: strings, arrays and records of many sizes, some resized, some freed by hand. */
#define _GNU_SOURCE
#include "collector.h"

struct entry {
    struct entry *next;
    char *word;
    long count;
};

static struct entry **table;
static size_t buckets, entries;
static unsigned long long state = 42;

static unsigned random_below(unsigned n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}

static unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static void grow(void) {
    size_t more = buckets ? buckets * 2 : 64;
    struct entry **bigger = GC_MALLOC(more * sizeof *bigger);
    for (size_t i = 0; i < buckets; i++)
        for (struct entry *e = table[i], *next; e; e = next) {
            next = e->next;
            e->next = bigger[hash(e->word) % more];
            bigger[hash(e->word) % more] = e;
        }
    if (table)
        GC_FREE(table);
    table = bigger;
    buckets = more;
}

static void count_word(const char *word) {
    if (entries >= buckets)
        grow();
    struct entry **bucket = &table[hash(word) % buckets];
    for (struct entry *e = *bucket; e; e = e->next)
        if (strcmp(e->word, word) == 0) {
            e->count++;
            return;
        }
    struct entry *e = GC_NEW(struct entry);
    e->word = GC_STRDUP(word);
    e->count = 1;
    e->next = *bucket;
    *bucket = e;
    entries++;
}

static char *make_word(void) {
    static const char *const syllables[] = {"ka", "to", "mi", "ren", "sul", "da", "ve", "lo", "pir", "an", "eth", "go"};
    char *word = GC_MALLOC_ATOMIC(1);
    size_t length = 0;
    word[0] = '\0';
    for (unsigned n = 1 + random_below(4); n > 0; n--) {
        const char *syllable = syllables[random_below(12)];
        size_t more = strlen(syllable);
        word = GC_REALLOC(word, length + more + 1);
        memcpy(word + length, syllable, more + 1);
        length += more;
    }
    return word;
}

enum { LINES = 1000 };
static char *lines[LINES];

static char *make_line(void) {
    char **words = NULL;
    size_t n = 1 + random_below(20), length = 1;
    for (size_t i = 0; i < n; i++) {
        words = GC_REALLOC(words, (i + 1) * sizeof *words);
        words[i] = make_word();
        length += strlen(words[i]) + 1;
    }
    char *line = GC_MALLOC_ATOMIC(length), *at = line;
    for (size_t i = 0; i < n; i++) {
        count_word(words[i]);
        at = stpcpy(at, words[i]);
        *at++ = ' ';
    }
    *at = '\0';
    return line;
}

int main(int argc, char **argv) {
    long count = (argc > 1 ? atol(argv[1]) : 20) * 1000;
    GC_INIT();
    for (long i = 0; i < count; i++) {
        char **slot = &lines[i % LINES];
        if (*slot && i % 3 == 0)
            GC_FREE(*slot);
        *slot = make_line();
    }
    size_t total = 0, bytes = 0;
    struct entry *best = NULL;
    for (size_t i = 0; i < buckets; i++)
        for (struct entry *e = table[i]; e; e = e->next) {
            total += (size_t)e->count;
            if (!best || e->count > best->count || (e->count == best->count && strcmp(e->word, best->word) < 0))
                best = e;
        }
    for (int i = 0; i < LINES; i++)
        bytes += lines[i] ? strlen(lines[i]) : 0;
    printf("%zu words, %zu different, most often %s (%ld), %zu bytes of lines\n", total, entries, best->word, best->count,
           bytes);
    return 0;
}
