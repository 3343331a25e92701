// hello.cc - the same in C++: new and the containers use the library.
#include <lowfat.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
    std::vector<int> v(100);
    std::string s(70, 'x');
    std::printf("vector data: slot of %zu, string data: slot of %zu\n", lowfat_size(&v[99]), lowfat_size(&s[69]));
    return lowfat_base(&v[99]) == v.data() && lowfat_is_heap_ptr(s.data()) ? 0 : 1;
}
