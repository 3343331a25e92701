/* lisp.c [ROUNDS] - a small Lisp: pairs, symbols, closures and environments, all garbage sooner or later. */
#include "collector.h"
#include <ctype.h>

enum kind { NUMBER, SYMBOL, PAIR, PRIMITIVE, CLOSURE };
typedef struct value value;
typedef value *primitive(value *arguments);
struct value {
    enum kind kind;
    union {
        long number;
        struct {
            char *name;
            value *global;
        } symbol;
        struct {
            value *head, *tail;
        } pair;
        primitive *primitive;
        struct {
            value *parameters_and_body, *environment;
        } closure;
    } u;
};

static value *symbols; /* a list */
static value *s_quote, *s_if, *s_lambda, *s_define, *s_let, *s_true;

static value *make(enum kind kind) {
    value *v = GC_MALLOC(sizeof *v);
    if (!v)
        abort();
    v->kind = kind;
    return v;
}
static value *number(long n) {
    value *v = GC_MALLOC_ATOMIC(sizeof *v);
    v->kind = NUMBER;
    v->u.number = n;
    return v;
}
static value *cons(value *head, value *tail) {
    value *v = make(PAIR);
    v->u.pair.head = head;
    v->u.pair.tail = tail;
    return v;
}
static value *head(value *v) { return v->u.pair.head; }
static value *tail(value *v) { return v->u.pair.tail; }

static value *intern(const char *name, size_t length) {
    for (value *s = symbols; s; s = tail(s))
        if (strlen(head(s)->u.symbol.name) == length && memcmp(head(s)->u.symbol.name, name, length) == 0)
            return head(s);
    value *symbol = make(SYMBOL);
    symbol->u.symbol.name = GC_STRNDUP(name, length);
    symbols = cons(symbol, symbols);
    return symbol;
}
static value *symbol(const char *name) { return intern(name, strlen(name)); }

/* ---- reading */

static value *read_value(const char **text);

static value *read_list(const char **text) {
    while (isspace((unsigned char)**text))
        ++*text;
    if (**text == ')') {
        ++*text;
        return NULL;
    }
    value *first = read_value(text);
    return cons(first, read_list(text));
}

static value *read_value(const char **text) {
    while (isspace((unsigned char)**text))
        ++*text;
    if (**text == '(') {
        ++*text;
        return read_list(text);
    }
    if (**text == '\'') {
        ++*text;
        return cons(s_quote, cons(read_value(text), NULL));
    }
    const char *start = *text;
    while (**text && !isspace((unsigned char)**text) && **text != '(' && **text != ')')
        ++*text;
    if (isdigit((unsigned char)*start))
        return number(strtol(start, NULL, 10));
    return intern(start, (size_t)(*text - start));
}

/* ---- evaluation; an environment is a list of pairs (symbol . value) */

static value *evaluate(value *e, value *environment);

static value *lookup(value *symbol_, value *environment) {
    for (; environment; environment = tail(environment))
        if (head(head(environment)) == symbol_)
            return tail(head(environment));
    if (!symbol_->u.symbol.global) {
        fprintf(stderr, "no value: %s\n", symbol_->u.symbol.name);
        exit(1);
    }
    return symbol_->u.symbol.global;
}

static value *evaluate_list(value *list, value *environment) {
    if (!list)
        return NULL;
    value *first = evaluate(head(list), environment);
    return cons(first, evaluate_list(tail(list), environment));
}

static value *bind(value *names, value *values, value *environment) {
    for (; names; names = tail(names), values = tail(values))
        environment = cons(cons(head(names), head(values)), environment);
    return environment;
}

static value *evaluate(value *e, value *environment) {
    for (;;) {
        if (!e || e->kind == NUMBER)
            return e;
        if (e->kind == SYMBOL)
            return lookup(e, environment);
        value *operator = head(e);
        if (operator == s_quote)
            return head(tail(e));
        if (operator == s_if) {
            e = evaluate(head(tail(e)), environment) ? head(tail(tail(e))) : head(tail(tail(tail(e))));
            continue;
        }
        if (operator == s_lambda) {
            value *closure = make(CLOSURE);
            closure->u.closure.parameters_and_body = tail(e);
            closure->u.closure.environment = environment;
            return closure;
        }
        if (operator == s_define) {
            head(tail(e))->u.symbol.global = evaluate(head(tail(tail(e))), environment);
            return NULL;
        }
        if (operator == s_let) {
            value *binding = head(tail(e));
            environment = cons(cons(head(binding), evaluate(head(tail(binding)), environment)), environment);
            e = head(tail(tail(e)));
            continue;
        }
        value *function = evaluate(operator, environment), *arguments = evaluate_list(tail(e), environment);
        if (function->kind == PRIMITIVE)
            return function->u.primitive(arguments);
        value *code = function->u.closure.parameters_and_body;
        environment = bind(head(code), arguments, function->u.closure.environment);
        e = head(tail(code));
    }
}

static value *truth(int b) { return b ? s_true : NULL; }
static long first(value *a) { return head(a)->u.number; }
static long second(value *a) { return head(tail(a))->u.number; }
static value *p_add(value *a) { return number(first(a) + second(a)); }
static value *p_subtract(value *a) { return number(first(a) - second(a)); }
static value *p_multiply(value *a) { return number(first(a) * second(a)); }
static value *p_remainder(value *a) { return number(first(a) % second(a)); }
static value *p_less(value *a) { return truth(first(a) < second(a)); }
static value *p_equal(value *a) { return truth(first(a) == second(a)); }
static value *p_cons(value *a) { return cons(head(a), head(tail(a))); }
static value *p_head(value *a) { return head(head(a)); }
static value *p_tail(value *a) { return tail(head(a)); }
static value *p_null(value *a) { return truth(!head(a)); }

static void define(const char *name, primitive *function) {
    value *v = make(PRIMITIVE);
    v->u.primitive = function;
    symbol(name)->u.symbol.global = v;
}

static void print(value *v) {
    if (!v)
        printf("()");
    else if (v->kind == NUMBER)
        printf("%ld", v->u.number);
    else if (v->kind == SYMBOL)
        printf("%s", v->u.symbol.name);
    else if (v->kind != PAIR)
        printf("#function");
    else {
        printf("(");
        for (value *p = v; p; p = tail(p)) {
            print(head(p));
            printf(tail(p) ? " " : ")");
        }
    }
}

static const char program[] =
    "(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))"
    "(fib 16)"
    "(define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) '())))"
    "(define fold (lambda (f x l) (if (null l) x (fold f (f x (head l)) (tail l)))))"
    "(define filter (lambda (f l) (if (null l) '() (if (f (head l)) (cons (head l) (filter f (tail l))) (filter f (tail l))))))"
    "(define primes (lambda (l) (if (null l) '() (cons (head l) (primes (filter (lambda (n) (if (= (mod n (head l)) 0) '() t)) (tail l)))))))"
    "(primes (range 2 100))"
    "(fold + 0 (primes (range 2 600)))"
    "(define append (lambda (a b) (if (null a) b (cons (head a) (append (tail a) b)))))"
    "(define sort (lambda (l) (if (null l) '() (let (p (head l)) (append (sort (filter (lambda (n) (< n p)) (tail l)))"
    " (cons p (sort (filter (lambda (n) (if (< n p) '() t)) (tail l)))))))))"
    "(define noise (lambda (n x) (if (= n 0) '() (cons x (noise (- n 1) (mod (+ (* x 75) 74) 65537))))))"
    "(sort (noise 40 1))"
    "(fold + 0 (sort (noise 300 7)))"
    "(define safe (lambda (q d qs) (if (null qs) t (if (= (head qs) q) '() (if (= (head qs) (+ q d)) '() (if (= (head qs) (- q d)) '()"
    " (safe q (+ d 1) (tail qs))))))))"
    "(define queens (lambda (n k qs) (if (= k 0) 1 (fold + 0 (try n k qs 1)))))"
    "(define try (lambda (n k qs q) (if (< n q) '() (cons (if (safe q 1 qs) (queens n (- k 1) (cons q qs)) 0) (try n k qs (+ q 1))))))"
    "(queens 6 6 '())";

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3;
    GC_INIT();
    s_quote = symbol("quote"), s_if = symbol("if"), s_lambda = symbol("lambda");
    s_define = symbol("define"), s_let = symbol("let"), s_true = symbol("t");
    s_true->u.symbol.global = s_true;
    static const struct {
        const char *name;
        primitive *function;
    } primitives[] = {{"+", p_add},    {"-", p_subtract}, {"*", p_multiply}, {"mod", p_remainder}, {"<", p_less},
                      {"=", p_equal},  {"cons", p_cons},  {"head", p_head},  {"tail", p_tail},     {"null", p_null}};
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        define(primitives[i].name, primitives[i].function);
    for (int round = 0; round < rounds; round++)
        for (const char *text = program; *text;) {
            value *result = evaluate(read_value(&text), NULL);
            if (result && round + 1 == rounds) {
                print(result);
                printf("\n");
            }
        }
    return 0;
}
