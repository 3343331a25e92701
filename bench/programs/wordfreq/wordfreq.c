#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Word {
  struct Word *next;
  unsigned hash;
  int length;
  const char *text;
  long count;
};

struct Table {
  struct Word **buckets;
  unsigned mask;
  int size;
};

static struct Table *new_table(void) {
  struct Table *t = malloc(sizeof *t);
  *t = (struct Table){calloc(65536, sizeof(struct Word *)), 65535u, 0};
  return t;
}

static void grow(struct Table *t) {
  unsigned mask = 2 * t->mask + 1;
  struct Word **buckets = calloc(mask + 1, sizeof(struct Word *));
  for (unsigned i = 0; i <= t->mask; i++) {
    struct Word *w = t->buckets[i];
    while (w != NULL) {
      struct Word *next = w->next;
      w->next = buckets[w->hash & mask];
      buckets[w->hash & mask] = w;
      w = next;
    }
  }
  free(t->buckets);
  t->buckets = buckets;
  t->mask = mask;
}

static void count_word(struct Table *t, const char * text, int n, unsigned hash) {
  for (struct Word *w = t->buckets[hash & t->mask]; w != NULL; w = w->next) {
    if (w->hash == hash && w->length == n && memcmp(w->text, text, n) == 0) {
      w->count++;
      return;
    }
  }
  if ((unsigned)t->size > t->mask) grow(t);
  struct Word *w = malloc(sizeof *w);
  *w = (struct Word){t->buckets[hash & t->mask], hash, n, strndup(text, n), 1};
  t->buckets[hash & t->mask] = w;
  t->size++;
}

static void count_words(struct Table *t, FILE *in) {
  static char buf[65536];
  int room = 64;
  char *word = malloc(room);
  int length = 0;
  unsigned hash = 2166136261u;
  size_t n;
  while ((n = fread(buf, 1, sizeof(buf), in)) > 0) {
    for (size_t i = 0; i < n; i++) {
      int c = buf[i] | 32;
      if (c >= 'a' && c <= 'z') {
        if (length == room) {
          room *= 2;
          word = realloc(word, room);
        }
        word[length++] = (char)c;
        hash = (hash ^ (unsigned)c) * 16777619u;
      } else if (length > 0) {
        count_word(t, word, length, hash);
        length = 0;
        hash = 2166136261u;
      }
    }
  }
  if (length > 0) count_word(t, word, length, hash);
  free(word);
}

static int before(struct Word *a, struct Word *b) {
  if (a->count != b->count) return a->count > b->count;
  return strcmp(a->text, b->text) < 0;
}

static void merge_sort(struct Word **v, struct Word **spare, int n) {
  if (n < 2) return;
  int half = n / 2;
  merge_sort(v, spare, half);
  merge_sort(v + half, spare + half, n - half);
  for (int i = 0; i < n; i++) spare[i] = v[i];
  int a = 0;
  int b = half;
  for (int i = 0; i < n; i++) {
    if (b == n || (a < half && !before(spare[b], spare[a])))
      v[i] = spare[a++];
    else
      v[i] = spare[b++];
  }
}

static struct Word **sorted_words(struct Table *t) {
  struct Word **all = malloc(t->size * sizeof(struct Word *));
  struct Word **spare = malloc(t->size * sizeof(struct Word *));
  int n = 0;
  for (unsigned i = 0; i <= t->mask; i++)
    for (struct Word *w = t->buckets[i]; w != NULL; w = w->next) all[n++] = w;
  merge_sort(all, spare, n);
  free(spare);
  return all;
}

int main(int argc, char **argv) {
  struct Table *table = new_table();
  int failed = 0;
  if (argc < 2) count_words(table, stdin);
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "-") == 0) {
      count_words(table, stdin);
      continue;
    }
    FILE *f = fopen(name, "rb");
    if (f == NULL) {
      fprintf(stderr, "wordfreq: %s: %s\n", name, strerror(errno));
      failed = 1;
      continue;
    }
    count_words(table, f);
    if (ferror(f)) {
      fprintf(stderr, "wordfreq: %s: %s\n", name, strerror(errno));
      failed = 1;
    }
    fclose(f);
  }
  struct Word **all = sorted_words(table);
  for (int i = 0; i < table->size; i++) printf("%ld %s\n", all[i]->count, all[i]->text);
  return failed;
}
