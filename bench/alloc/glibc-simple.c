/* glibc-simple: allocate n blocks of one size, free them all (after the description of
 * glibc's benchtests/bench-malloc-simple).
 *
 * For each of several small sizes and n = 1, 25, 100, 400, 1600: first in the only
 * thread of the process, then in a second thread, where the allocator can no longer
 * assume that it is alone.
 */
#include "common.h"

static const int counts[] = {1, 25, 100, 400, 1600};
static const size_t sizes[] = {16, 64, 128, 512, 1024};

enum { MAX_COUNT = 1600 };

static uint64_t blocks_per_case;

static uint64_t one_case(size_t size, int count) {
    void *block[MAX_COUNT];
    uint64_t sum = 0;
    for (uint64_t done = 0; done < blocks_per_case; done += (uint64_t)count) {
        for (int i = 0; i < count; i++) {
            block[i] = must_malloc(size);
            *(char *)block[i] = (char)i;
        }
        for (int i = 0; i < count; i++) {
            sum += *(unsigned char *)block[i];
            free(block[i]);
        }
    }
    return sum;
}

static void *all_cases(void *context) {
    uint64_t *sum = context;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            *sum = mix(*sum, one_case(sizes[s], counts[c]));
    return NULL;
}

int main(int argc, char **argv) {
    blocks_per_case = work(argc, argv, 500000);
    uint64_t sum = 0;
    all_cases(&sum);
    run_threads(1, all_cases, &sum, sizeof sum);
    return report("glibc-simple", sum);
}
