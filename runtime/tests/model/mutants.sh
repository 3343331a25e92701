#!/bin/sh
# mutants.sh SOURCES INCLUDE CC - the exploration of handshake.c finds each of these mistakes.
#
# A mutant is a copy of the sources with one line changed; a change that changes nothing fails as well.
set -eu
sources=$1 include=$2 cc=$3
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# mutant NAME FILE SED ARGUMENTS...: what the exploration does with these arguments is to fail.
mutant() {
    name=$1 file=$2 change=$3
    shift 3
    rm -rf "$folder/src"
    cp -r "$sources" "$folder/src"
    sed "$change" "$sources/gc/$file" >"$folder/src/gc/$file"
    if cmp -s "$sources/gc/$file" "$folder/src/gc/$file"; then
        echo "mutant $name: its line is not in $file any more" >&2
        exit 1
    fi
    $cc -std=gnu11 -O1 -w -DLOWFAT_NO_INTERPOSE -I"$include" -I"$folder/src/gc" "$here/handshake.c" -o "$folder/handshake" -lpthread
    if "$folder/handshake" "$@" >"$folder/said"; then
        echo "mutant $name survives: $(cat "$folder/said")" >&2
        exit 1
    fi
    echo "mutant $name: $(sed 's/, in schedule.*//' "$folder/said")"
}

mutant 'a thread is not registered' threads.c 's/^    cyc_gc.threads = t;$//' 1 1 0 2
mutant 'it leaves the list without the lock' threads.c '/^static void unregister/,/^}/s/lowfat_acquire(&cyc_gc.lock);//' 1 1 0 2
mutant 'nobody waits for the others' stop_linux.c 's/^    await_all();$//' 1 1 0 2
mutant 'a busy thread stops at once' stop_linux.c 's/if (\*(volatile uint32_t \*)&t->busy != 0)/if (0)/' 1 1 0 2
mutant 'it does not stop as it leaves' gc.h 's/^        cyc_gc_park(t);$/        ;/' 1 1 0 2
mutant 'nobody is woken' stop_linux.c 's/^    if (expected > 0)$/    if (0)/' 1 1 0 2
mutant 'each signal is acknowledged' stop_linux.c 's/ || __atomic_exchange_n(&t->answered, now, __ATOMIC_RELAXED) == now//' 1 1 1 2
mutant 'the collecting thread is not busy' collect.c 's/^    cyc_gc_enter(collector);$//' 1 1 1 2
