/* strings THOUSANDS - the twin of strings.cyc on the Boehm collector. */
#include <gc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word(unsigned i) {
    static const char *const words[] = {"eye", "wall", "cyclone", "rain band", "landfall"};
    return words[i % 5];
}

static const char *concat(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    char *text = GC_MALLOC_ATOMIC(n + m + 1);
    memcpy(text, a, n);
    memcpy(text + n, b, m + 1);
    return text;
}

int main(int argc, char **argv) {
    int n = (argc > 1 ? atoi(argv[1]) : 10) * 1000;
    const char *kept[1000];
    unsigned x = 1;
    unsigned long sum = 0;
    GC_INIT();
    for (int i = 0; i < 1000; i++)
        kept[i] = "";
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        const char *text = kept[(x >> 8) % 1000];
        if (strlen(text) > 400)
            text = word(x >> 12);
        for (unsigned j = 0; j < 4; j++)
            text = concat(text, word((x >> 10) + j));
        kept[(x >> 20) % 1000] = text;
        sum += strlen(text) + (unsigned long)text[strlen(text) / 2];
    }
    printf("%lu\n", sum);
    return 0;
}
