#!/bin/sh
# instructions.sh CC BUILD INCLUDE - counts instructions: of the inlined operations in the disassembly of a non-PIE program,
# of malloc and free on their fast path under callgrind (valgrind), both with the shared and with the static library.
set -eu
cc=$1 build=$2 include=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/ops.c" <<'END'
#include <lowfat.h>
size_t op_index(const void *p) { return lowfat_index(p); }
size_t op_size(const void *p) { return lowfat_size(p); }
void *op_base(const void *p) { return lowfat_base(p); }
size_t op_offset(const void *p) { return lowfat_offset(p); }
size_t op_usable_size(const void *p) { return lowfat_usable_size(p); }
int op_is_heap_ptr(const void *p) { return lowfat_is_heap_ptr(p); }
int op_is_base(const void *p) { return lowfat_is_base(p); }
END
"$cc" -std=c11 -O2 -fno-pie -fcf-protection=none -I"$include" -c "$work/ops.c" -o "$work/ops.o"
objdump -d --no-show-raw-insn "$work/ops.o" > "$work/ops.s"
if grep -qE '\<i?div' "$work/ops.s"; then echo "instructions: a division" >&2; exit 1; fi

limit() { # limit NAME MOST: instructions of op_NAME without ret
    count=$(awk -v f="<op_$1>:" '$2 == f {on = 1; next} /^$/ {on = 0} on && !/ret|nop|xchg +%ax,%ax/ {n++} END {print n + 0}' "$work/ops.s")
    echo "instructions: lowfat_$1 $count"
    if [ "$count" -gt "$2" ] || [ "$count" -eq 0 ]; then echo "instructions: lowfat_$1 needs $count, at most $2 allowed" >&2; exit 1; fi
}
limit index 2 # one shift, and a move into the result register
limit size 2
limit base 6
limit offset 8
limit usable_size 9
limit is_heap_ptr 4
limit is_base 7

cat > "$work/pairs.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++) {
        void *volatile p = malloc(48);
        free(p);
    }
}
END
# Without debugging information, which valgrind may be too old to read.
objcopy --strip-debug "$build/liblowfat.so.0" "$work/liblowfat.so.0"
"$cc" -O2 -fno-builtin "$work/pairs.c" -o "$work/shared" "$work/liblowfat.so.0" -Wl,-rpath,"$work"
"$cc" -O2 -fno-builtin -static "$work/pairs.c" -o "$work/static" "$build/liblowfat.a" -Wl,--strip-debug

per_call() { # per_call PROGRAM FUNCTION...: instructions of the function per call, exact by difference of two runs
    program=$1; shift
    for n in 1000 2000; do
        valgrind --tool=callgrind --callgrind-out-file="$work/out.$n" "$program" $n >/dev/null 2>&1 ||
            { echo "instructions: valgrind failed on $program" >&2; exit 1; }
        callgrind_annotate --threshold=100 --show-percs=no "$work/out.$n" 2>/dev/null | tr -d , > "$work/annotated.$n"
    done
    for function; do
        # one function, several names: callgrind picks any
        one=$(awk -v f=":(lowfat_|c)?$function( |$)" '$0 ~ f {s += $1} END {print s + 0}' "$work/annotated.1000")
        two=$(awk -v f=":(lowfat_|c)?$function( |$)" '$0 ~ f {s += $1} END {print s + 0}' "$work/annotated.2000")
        count=$(( (two - one) / 1000 ))
        echo "instructions: $(basename "$program") $function $count"
        if [ "$count" -lt 5 ] || [ "$count" -gt 20 ]; then
            echo "instructions: $function takes $count instructions, wanted at most 20" >&2; exit 1
        fi
    done
}
per_call "$work/shared" malloc free
per_call "$work/static" malloc free
