#!/bin/sh
# globals-errors.sh CC INCLUDE - what cannot be moved is refused at build time, by name and reason.
set -eu
try() { # try EXPECTED DECLARATION
    said=$(printf '#include <lowfat.h>\n%s\n' "$2" | LC_ALL=C "$cc" -std=c11 -I"$include" -x c -fsyntax-only - 2>&1) &&
        { echo "globals: accepted: $2" >&2; exit 1; }
    case "$said" in *"$1"*) ;; *) echo "globals: unclear message for: $2: $said" >&2; exit 1;; esac
}
cc=$1 include=$2
try "lowfat global a: the object must be smaller than its slot of 64 bytes" "LOWFAT_GLOBAL(char[64], a, 64);"
try "lowfat global b: the slot must be a power of two" "LOWFAT_GLOBAL(int, b, 48);"
try "lowfat global c: the slot must be a power of two" "LOWFAT_GLOBAL(int, c, 2097152);"
echo "globals: mistakes are named"
