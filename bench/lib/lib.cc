// The operations of `cargo xtask bench lib` with the standard library of C++: OPERATION N.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

static unsigned long state = 42;
static long next_number() {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (long)(state >> 33);
}

static long hash(int n) {
  std::unordered_map<long, long> t;
  long sum = 0;
  for (int i = 0; i < n; i++) t.try_emplace(next_number() % (2 * n), i);
  for (int i = 0; i < 2 * n; i++) {
    auto place = t.find(i);
    if (place != t.end()) sum += place->second;
  }
  for (int i = 0; i < n; i++) t.erase(i);
  for (int i = 0; i < 2 * n; i++) sum += (long)t.count(i);
  return sum;
}

static long dict(int n) {
  std::map<long, long> d;
  long sum = 0;
  for (int i = 0; i < n; i++) d[next_number() % (2 * n)] = i;
  for (int i = 0; i < 2 * n; i++) {
    auto place = d.find(i);
    if (place != d.end()) sum += place->second;
  }
  for (int i = 0; i < n / 2; i++) d.erase(i);
  unsigned long walk = 0;
  for (auto &[k, v] : d) walk = walk * 31 + (unsigned long)(k ^ v);
  return (long)((unsigned long)sum + walk);
}

template <class Sequence> static long checksum(const Sequence &sorted) {
  unsigned long sum = 0;
  for (long x : sorted) sum = sum * 31 + (unsigned long)x;
  return (long)sum;
}

static long list_sort(int n) {
  std::list<long> l;
  for (int i = 0; i < n; i++) l.push_front(next_number());
  l.sort();
  return checksum(l);
}

static long array_sort(int n) {
  std::vector<long> a;
  for (int i = 0; i < n; i++) a.push_back(next_number());
  std::sort(a.begin(), a.end());
  return checksum(a);
}

static const char *const words[4] = {"region ", "unique ", "counted ", "heap "};

static std::string text_of(int n) {
  std::string b;
  for (int i = 0; i < n; i++) {
    b += words[next_number() & 3];
    if ((i & 7) == 0) b += '\n';
  }
  return b;
}

static long search(int n) {
  std::string text = text_of(n);
  long found = 0;
  for (int round = 0; round < 10; round++) {
    for (auto at = text.find("unique counted heap"); at != text.npos; at = text.find("unique counted heap", at + 1)) found++;
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) found++;
  }
  return found;
}

static long print(int n) {
  FILE *f = std::fopen("/dev/null", "w");
  if (!f) return -1;
  long sum = 0;
  for (int i = 0; i < n; i++) {
    int x = (int)(next_number() & 0xffff);
    sum += std::fprintf(f, "%d: %s%5x %.3f\n", i, words[x & 3], (unsigned)x, (double)x / 8.0);
  }
  std::fclose(f);
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = std::atoi(argv[2]);
  std::string op = argv[1];
  long result = op == "hash"     ? hash(n)
                : op == "dict"   ? dict(n)
                : op == "list"   ? list_sort(n)
                : op == "array"  ? array_sort(n)
                : op == "build"  ? (long)text_of(n).size()
                : op == "search" ? search(n)
                                 : print(n);
  std::printf("%ld\n", result);
}
