// cplusplus.cc - operators new and delete in all forms, the header in C++, scopes left by exceptions.
#include "check.h"

#include <lowfat_pool.h>

#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static_assert(noexcept(lowfat_free(nullptr)), "allocation functions do not throw");

struct alignas(256) Aligned {
    char data[300];
};

static void in_heap(const void *p, std::size_t size, std::size_t alignment) {
    CHECK(lowfat_is_heap_ptr(p) && lowfat_base(p) == p && lowfat_size(p) >= size);
    CHECK(reinterpret_cast<std::uintptr_t>(p) % alignment == 0);
}

static void forms() {
    for (std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(100), std::size_t(70000), std::size_t(3000000)}) {
        void *p;
        in_heap(p = ::operator new(n), n, 16), ::operator delete(p);
        in_heap(p = ::operator new(n), n, 16), ::operator delete(p, n);
        in_heap(p = ::operator new[](n), n, 16), ::operator delete[](p);
        in_heap(p = ::operator new[](n), n, 16), ::operator delete[](p, n);
        in_heap(p = ::operator new(n, std::nothrow), n, 16), ::operator delete(p, std::nothrow);
        in_heap(p = ::operator new[](n, std::nothrow), n, 16), ::operator delete[](p, std::nothrow);
        std::align_val_t a{512};
        in_heap(p = ::operator new(n, a), n, 512), ::operator delete(p, a);
        in_heap(p = ::operator new(n, a), n, 512), ::operator delete(p, n, a);
        in_heap(p = ::operator new[](n, a), n, 512), ::operator delete[](p, a);
        in_heap(p = ::operator new[](n, a), n, 512), ::operator delete[](p, n, a);
        in_heap(p = ::operator new(n, a, std::nothrow), n, 512), ::operator delete(p, a, std::nothrow);
        in_heap(p = ::operator new[](n, a, std::nothrow), n, 512), ::operator delete[](p, a, std::nothrow);
    }
    auto one = std::make_unique<Aligned>();
    in_heap(one.get(), sizeof(Aligned), 256);
    std::vector<Aligned> many(7);
    in_heap(many.data(), 7 * sizeof(Aligned), 256);
}

static int handler_calls;
static void handler() {
    if (++handler_calls == 3)
        std::set_new_handler(nullptr);
}

static void failures() {
    volatile std::size_t too_much = static_cast<std::size_t>(-1) / 2 - 4096;
    bool caught = false;
    try {
        ::operator delete(::operator new(too_much));
    } catch (const std::bad_alloc &) {
        caught = true;
    }
    CHECK(caught);
    CHECK(::operator new(too_much, std::nothrow) == nullptr);
    std::set_new_handler(handler);
    caught = false;
    try {
        ::operator delete[](::operator new[](too_much, std::align_val_t{64}), std::align_val_t{64});
    } catch (const std::bad_alloc &) {
        caught = true;
    }
    CHECK(caught && handler_calls == 3);
}

static void throws(int depth) {
    LOWFAT_STACK_ARRAY(char, buffer, 80);
    CHECK(lowfat_is_stack_ptr(buffer + 79));
    if (depth == 0)
        throw std::runtime_error("out of here");
    throws(depth - 1);
}

static void scopes() {
    std::size_t before = lowfat_stack_mark();
    try {
        throws(50);
    } catch (const std::runtime_error &e) {
        CHECK(lowfat_is_heap_ptr(e.what())); // the library's own strings are ours as well
    }
    CHECK(lowfat_stack_mark() == before);
}

static void containers() {
    std::map<std::string, std::vector<int>> m;
    std::vector<std::thread> threads;
    for (int i = 0; i < 20000; i++)
        m["key " + std::to_string(i % 5000)].push_back(i);
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&m, t] {
            std::vector<std::string> copies;
            for (auto &[key, values] : m)
                copies.push_back(key + std::to_string(values.size() * static_cast<std::size_t>(t)));
            CHECK(copies.size() == 5000);
        });
    for (auto &thread : threads)
        thread.join();
    CHECK(m["key 4999"].size() == 4);
}

static void pools() {
    lowfat_pool *pool = lowfat_pool_create(1 << 16, 0, 0);
    lowfat_pool_array *array = lowfat_pool_array_new_zero(pool, 100, sizeof(double));
    double sum = 0;
    CHECK(array);
    *LOWFAT_POOL_AT(double, array, 99) = 2.5;
    LOWFAT_POOL_SPANS(double, p, n, array, 0, 100)
        for (std::size_t i = 0; i < n; i++)
            sum += p[i];
    const lowfat_pool_view view = LOWFAT_POOL_VIEW(double, array);
    LOWFAT_POOL_STRIDED(double, p, n, &view, 9, 10, 10)
        sum += p[10 * (n - 1)];
    CHECK(sum == 5 && *LOWFAT_POOL_IN(double, &view, 99) == 2.5 && !LOWFAT_POOL_AT(float, array, 0));
    lowfat_pool_destroy(pool);
}

int main() {
    forms();
    pools();
    failures();
    scopes();
    containers();
    std::puts("cplusplus: ok");
}
