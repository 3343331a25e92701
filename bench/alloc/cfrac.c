/* cfrac: factoring by continued fractions (Morrison and Brillhart, "A method of factoring
 * and the factorization of F7", 1975).
 *
 * Every number is an immutable array of limbs of its own, so the program allocates
 * and frees many tiny short-lived blocks. It factors products of two primes it knows and
 * checks what it finds.
 */
#include "common.h"

/* ---- natural numbers: immutable, little endian, no leading zero limb ---- */

typedef struct {
    uint32_t length;
    uint32_t limb[];
} num;

static num *num_new(uint32_t length) {
    num *n = must_malloc(sizeof *n + length * sizeof n->limb[0]);
    n->length = length;
    return n;
}

static num *num_trim(num *n) {
    while (n->length && n->limb[n->length - 1] == 0) n->length--;
    return n;
}

static num *num_from(uint64_t v) {
    num *n = num_new(2);
    n->limb[0] = (uint32_t)v;
    n->limb[1] = (uint32_t)(v >> 32);
    return num_trim(n);
}

/* The low 64 bits. */
static uint64_t num_low(const num *n) {
    uint64_t low = n->length > 0 ? n->limb[0] : 0;
    return n->length > 1 ? low | (uint64_t)n->limb[1] << 32 : low;
}

/* Replaces what a variable holds. */
static void set(num **variable, num *value) {
    free(*variable);
    *variable = value;
}

static int num_compare(const num *a, const num *b) {
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    for (uint32_t i = a->length; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static num *num_add(const num *a, const num *b) {
    uint32_t length = (a->length > b->length ? a->length : b->length) + 1;
    num *sum = num_new(length);
    uint64_t carry = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (i < a->length) carry += a->limb[i];
        if (i < b->length) carry += b->limb[i];
        sum->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return num_trim(sum);
}

/* a - b, for a >= b. */
static num *num_subtract(const num *a, const num *b) {
    num *difference = num_new(a->length);
    int64_t borrow = 0;
    for (uint32_t i = 0; i < a->length; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->length ? b->limb[i] : 0);
        difference->limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    return num_trim(difference);
}

static num *num_multiply(const num *a, const num *b) {
    num *product = num_new(a->length + b->length);
    memset(product->limb, 0, product->length * sizeof product->limb[0]);
    for (uint32_t i = 0; i < a->length; i++) {
        uint64_t carry = 0;
        for (uint32_t j = 0; j < b->length; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + product->limb[i + j];
            product->limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product->limb[i + b->length] = (uint32_t)carry;
    }
    return num_trim(product);
}

static num *num_divide_small(const num *a, uint32_t by, uint32_t *rest) {
    num *quotient = num_new(a->length);
    uint64_t carry = 0;
    for (uint32_t i = a->length; i-- > 0;) {
        carry = carry << 32 | a->limb[i];
        quotient->limb[i] = (uint32_t)(carry / by);
        carry %= by;
    }
    *rest = (uint32_t)carry;
    return num_trim(quotient);
}

/* a shifted left by fewer than 32 bits, one limb longer, not trimmed. */
static num *shifted(const num *a, int bits) {
    num *s = num_new(a->length + 1);
    uint64_t carry = 0;
    for (uint32_t i = 0; i < a->length; i++) {
        carry |= (uint64_t)a->limb[i] << bits;
        s->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    s->limb[a->length] = (uint32_t)carry;
    return s;
}

/* One digit of Knuth's algorithm D (TAOCP 4.3.1): subtracts digit * divisor from the
 * limbs of `rest` starting at `at` and returns the digit. */
static uint32_t divide_step(num *rest, const num *divisor, uint32_t at, uint32_t n) {
    uint64_t top = (uint64_t)rest->limb[at + n] << 32 | rest->limb[at + n - 1];
    uint64_t digit = top / divisor->limb[n - 1], left = top % divisor->limb[n - 1];
    while (digit >> 32 || digit * divisor->limb[n - 2] > (left << 32 | rest->limb[at + n - 2])) {
        digit--;
        left += divisor->limb[n - 1];
        if (left >> 32) break;
    }
    int64_t borrow = 0;
    uint64_t carry = 0;
    for (uint32_t i = 0; i < n; i++) {
        carry += digit * divisor->limb[i];
        borrow += (int64_t)rest->limb[at + i] - (uint32_t)carry;
        rest->limb[at + i] = (uint32_t)borrow;
        borrow >>= 32;
        carry >>= 32;
    }
    borrow += (int64_t)rest->limb[at + n] - (int64_t)carry;
    rest->limb[at + n] = (uint32_t)borrow;
    if (borrow >= 0) return (uint32_t)digit;
    carry = 0; /* one too many: add the divisor back */
    for (uint32_t i = 0; i < n; i++) {
        carry += (uint64_t)rest->limb[at + i] + divisor->limb[i];
        rest->limb[at + i] = (uint32_t)carry;
        carry >>= 32;
    }
    rest->limb[at + n] += (uint32_t)carry;
    return (uint32_t)digit - 1;
}

/* a / b; the remainder goes to *rest unless it is NULL. */
static num *num_divide(const num *a, const num *b, num **rest) {
    num *quotient, *left;
    if (b->length == 1) {
        uint32_t small;
        quotient = num_divide_small(a, b->limb[0], &small);
        left = num_from(small);
    } else if (num_compare(a, b) < 0) {
        quotient = num_new(0);
        left = num_new(a->length);
        memcpy(left->limb, a->limb, a->length * sizeof a->limb[0]);
    } else {
        uint32_t n = b->length, m = a->length - n, ignored;
        int bits = __builtin_clz(b->limb[n - 1]);
        num *divisor = shifted(b, bits);
        left = shifted(a, bits);
        quotient = num_new(m + 1);
        for (uint32_t at = m + 1; at-- > 0;) quotient->limb[at] = divide_step(left, divisor, at, n);
        num_trim(quotient);
        free(divisor);
        left->length = n;
        set(&left, num_divide_small(num_trim(left), 1u << bits, &ignored));
    }
    if (rest) *rest = left;
    else free(left);
    return quotient;
}

static num *num_modulo(const num *a, const num *b) {
    num *rest;
    free(num_divide(a, b, &rest));
    return rest;
}

static num *num_multiply_modulo(const num *a, const num *b, const num *n) {
    num *product = num_multiply(a, b), *rest = num_modulo(product, n);
    free(product);
    return rest;
}

/* Newton's iteration from above. */
static num *num_square_root(const num *a) {
    num *root = num_new(a->length / 2 + 2);
    memset(root->limb, 0, root->length * sizeof root->limb[0]);
    root->limb[root->length - 1] = 1;
    for (;;) {
        uint32_t ignored;
        num *next = num_divide(a, root, NULL);
        set(&next, num_add(next, root));
        set(&next, num_divide_small(next, 2, &ignored));
        if (num_compare(next, root) >= 0) {
            free(next);
            return root;
        }
        set(&root, next);
    }
}

static num *num_gcd(const num *a, const num *b) {
    num *x = num_modulo(a, b), *y = num_add(b, (const num[]){{0}});
    while (x->length) {
        num *rest = num_modulo(y, x);
        set(&y, x);
        x = rest;
    }
    free(x);
    return y;
}

/* ---- primes of machine size ---- */

static uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t n) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = (uint64_t)((unsigned __int128)result * base % n);
        base = (uint64_t)((unsigned __int128)base * base % n);
    }
    return result;
}

/* Miller and Rabin with the bases that settle every n below 3.3e24. */
static int is_prime(uint64_t n) {
    static const uint8_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
    uint64_t odd = n - 1;
    if (n < 2) return 0;
    while (odd % 2 == 0) odd /= 2;
    for (size_t i = 0; i < sizeof bases; i++) {
        if (n % bases[i] == 0) return n == bases[i];
        uint64_t d = odd, x = power_modulo(bases[i], d, n);
        for (; d != n - 1 && x != 1 && x != n - 1; d *= 2) x = (uint64_t)((unsigned __int128)x * x % n);
        if (x != n - 1 && d % 2 == 0) return 0;
    }
    return 1;
}

static uint64_t next_prime(uint64_t from) {
    while (!is_prime(from)) from++;
    return from;
}

/* ---- the method ---- */

enum { BASE = 120, RELATIONS = BASE + 12, WORDS = (BASE + 1 + 63) / 64 + 3 };

/* value^2 = (-1)^sign * product prime[i]^exponent[i] modulo n. Parities stand in
 * bits 0..BASE, the history of the elimination in the words after them. */
typedef struct {
    num *value;
    uint8_t exponent[BASE + 1];
    uint64_t bits[WORDS];
} relation;

typedef struct {
    const num *n;
    num *multiple; /* k * n */
    uint32_t prime[BASE];
    relation found[RELATIONS];
    int count;
} factoring;

/* Primes modulo which k * n is a square: only they divide what the expansion yields. */
static void choose_base(factoring *f) {
    uint32_t p = 1;
    for (int i = 0; i < BASE;) {
        uint32_t rest;
        p = (uint32_t)next_prime(p + 1);
        free(num_divide_small(f->multiple, p, &rest));
        if (p == 2 || rest == 0 || power_modulo(rest, (p - 1) / 2, p) == 1) f->prime[i++] = p;
    }
}

/* Trial division; true when `q` splits completely over the base. */
static int try_split(const factoring *f, const num *q, relation *r) {
    num *left = num_add(q, (const num[]){{0}});
    for (int i = 0; i < BASE && !(left->length == 1 && left->limb[0] == 1);) {
        uint32_t rest;
        num *quotient = num_divide_small(left, f->prime[i], &rest);
        if (rest == 0) {
            set(&left, quotient);
            r->exponent[i + 1]++;
        } else {
            free(quotient);
            i++;
        }
    }
    int split = left->length == 1 && left->limb[0] == 1;
    free(left);
    return split;
}

static void record(factoring *f, const num *a, const num *q, int negative) {
    relation r = {0};
    if (!try_split(f, q, &r)) return;
    r.exponent[0] = (uint8_t)negative;
    for (int i = 0; i <= BASE; i++)
        if (r.exponent[i] & 1) r.bits[i / 64] |= (uint64_t)1 << (i % 64);
    int own = 64 * ((BASE + 1 + 63) / 64) + f->count;
    r.bits[own / 64] |= (uint64_t)1 << (own % 64);
    r.value = num_add(a, (const num[]){{0}});
    f->found[f->count++] = r;
}

/* Expands sqrt(k n) until there are enough relations or the expansion repeats.
 * With P, Q, q of step i: P' = q Q - P, Q' = (kn - P'^2) / Q, q' = (g + P') / Q',
 * and the numerators A satisfy A_i^2 = (-1)^(i+1) Q' modulo n. */
static void expand(factoring *f) {
    num *g = num_square_root(f->multiple);
    num *p = num_from(0), *q = num_from(1), *digit = num_from(num_low(g));
    set(&digit, num_add(g, (const num[]){{0}}));
    num *before = num_from(1), *a = num_modulo(g, f->n);
    for (int negative = 1; f->count < RELATIONS; negative = !negative) {
        num *product = num_multiply(digit, q);
        set(&p, num_subtract(product, p));
        set(&product, num_multiply(p, p));
        set(&product, num_subtract(f->multiple, product));
        set(&q, num_divide(product, q, NULL));
        set(&product, num_add(g, p));
        set(&digit, num_divide(product, q, NULL));
        free(product);
        if (q->length == 1 && q->limb[0] == 1) break; /* the period is over */
        record(f, a, q, negative);
        num *next = num_multiply_modulo(digit, a, f->n);
        set(&next, num_add(next, before));
        set(&next, num_modulo(next, f->n));
        set(&before, a);
        a = next;
    }
    free(g), free(p), free(q), free(digit), free(before), free(a);
}

/* A square on both sides from the relations named in `history`; a factor or NULL. */
static num *combine(const factoring *f, const uint64_t *history) {
    num *x = num_from(1), *y = num_from(1);
    unsigned exponent[BASE + 1] = {0};
    for (int i = 0; i < f->count; i++) {
        if (!(history[i / 64] >> (i % 64) & 1)) continue;
        set(&x, num_multiply_modulo(x, f->found[i].value, f->n));
        for (int j = 0; j <= BASE; j++) exponent[j] += f->found[i].exponent[j];
    }
    for (int j = 1; j <= BASE; j++)
        for (unsigned e = exponent[j] / 2; e; e--) {
            num *prime = num_from(f->prime[j - 1]);
            set(&y, num_multiply_modulo(y, prime, f->n));
            free(prime);
        }
    set(&x, num_add(x, y));
    free(y);
    num *factor = num_gcd(x, f->n);
    free(x);
    if ((factor->length == 1 && factor->limb[0] == 1) || num_compare(factor, f->n) == 0) set(&factor, NULL);
    return factor;
}

/* Gaussian elimination over the parities; tries every dependency. */
static num *solve(factoring *f) {
    uint8_t used[RELATIONS] = {0};
    enum { PARITY_WORDS = (BASE + 1 + 63) / 64 };
    for (int column = 0; column <= BASE; column++) {
        int pivot = 0;
        while (pivot < f->count && (used[pivot] || !(f->found[pivot].bits[column / 64] >> (column % 64) & 1)))
            pivot++;
        if (pivot == f->count) continue;
        used[pivot] = 1;
        for (int row = 0; row < f->count; row++)
            if (row != pivot && f->found[row].bits[column / 64] >> (column % 64) & 1)
                for (int w = 0; w < WORDS; w++) f->found[row].bits[w] ^= f->found[pivot].bits[w];
    }
    for (int row = 0; row < f->count; row++) {
        if (used[row]) continue;
        num *factor = combine(f, f->found[row].bits + PARITY_WORDS);
        if (factor) return factor;
    }
    return NULL;
}

/* A proper factor of n, by multipliers 1, 3, 5, ... until one gives a dependency. */
static num *factor(const num *n) {
    for (uint64_t k = 1; k < 100; k += 2) {
        factoring f = {.n = n, .multiple = num_from(k)};
        set(&f.multiple, num_multiply(f.multiple, n));
        choose_base(&f);
        expand(&f);
        num *result = solve(&f);
        for (int i = 0; i < f.count; i++) free(f.found[i].value);
        free(f.multiple);
        if (result) return result;
    }
    return NULL;
}

int main(int argc, char **argv) {
    uint64_t numbers = work(argc, argv, 8), sum = 0;
    rng random = rng_seed(11);
    for (uint64_t i = 0; i < numbers; i++) {
        enum { BITS = 43 };
        uint64_t p = next_prime((1ull << BITS) + (rng_next(&random) >> (65 - BITS)));
        uint64_t q = next_prime((1ull << BITS) + (rng_next(&random) >> (65 - BITS)));
        num *a = num_from(p), *b = num_from(q), *n = num_multiply(a, b);
        num *found = factor(n);
        require(found && (num_low(found) == p || num_low(found) == q), "not factored");
        sum = mix(sum, num_low(found));
        free(a), free(b), free(n), free(found);
    }
    return report("cfrac", sum);
}
