// A program of 50 lines in C and in Cyclone: the primes below a limit, sorted by their digits' sum.
#include <stdio.h>
#include <string.h>

#define LIMIT 2000

struct Prime { int value; int digits; };

static char composite[LIMIT];
static struct Prime primes[LIMIT];

static int digit_sum(int n) {
  int sum = 0;
  while (n > 0) {
    sum += n % 10;
    n /= 10;
  }
  return sum;
}

static int sieve(void) {
  int count = 0;
  for (int i = 2; i < LIMIT; i++) {
    if (composite[i] != 0) continue;
    for (int j = 2 * i; j < LIMIT; j += i) composite[j] = (char)1;
    primes[count].value = i;
    primes[count].digits = digit_sum(i);
    count++;
  }
  return count;
}

static void sort(int count) {
  for (int i = 1; i < count; i++) {
    struct Prime moved = primes[i];
    int j = i;
    while (j > 0 && primes[j - 1].digits > moved.digits) {
      primes[j] = primes[j - 1];
      j--;
    }
    primes[j] = moved;
  }
}

int main(void) {
  int count = sieve();
  sort(count);
  for (int i = 0; i < 10; i++) printf("%d (%d)\n", primes[i].value, primes[i].digits);
  return 0;
}
