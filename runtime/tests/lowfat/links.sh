#!/bin/sh
# links.sh CC FOLDER - installs into a scratch place and builds the examples each way a user would: pkg-config, CMake when it
# is installed, static, shared, static-pie, C++, the prefix only.
set -eu
cc=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -C "$folder" install PREFIX="$work/usr"
for file in include/lowfat.h include/lowfat_gc.h include/lowfat_boehm.h include/lowfat_pool.h lib/liblowfat.a lib/liblowfat-api.a lib/liblowfat-gc.a lib/liblowfat.so lib/pkgconfig/lowfat.pc lib/cmake/lowfat/lowfat-config.cmake \
    share/man/man3/lowfat.3 share/lowfat/lowfat-globals.ld bin/lowfat-pie; do
    [ -e "$work/usr/$file" ] || { echo "links: not installed: $file" >&2; exit 1; }
done
man_warnings=$(command -v groff >/dev/null && groff -man -ww -Tutf8 -z "$work/usr/share/man/man3/lowfat.3" 2>&1 || true)
[ -z "$man_warnings" ] || { echo "links: lowfat.3: $man_warnings" >&2; exit 1; }
make -s -C "$folder/examples" CC="$cc" OUT="$work/examples" PKG_CONFIG_PATH="$work/usr/lib/pkgconfig" check
if command -v cmake >/dev/null; then
    cmake -S "$folder/examples" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_C_COMPILER="$cc" > "$work/cmake.log" 2>&1 &&
        cmake --build "$work/cmake" >> "$work/cmake.log" 2>&1 || { cat "$work/cmake.log" >&2; exit 1; }
    for program in shared static api globals pool; do "$work/cmake/example-$program" > /dev/null; done
    echo "links: cmake ok"
else
    echo "links: CMake package NOT RUN (cmake is not installed)"
fi
echo "links: ok"
