#!/bin/sh
# container.sh BUILD - liblowfat in a container: namespaces of users, mounts, processes, networks and hosts, a root folder that
# holds the programs and their libraries only (no /proc, /sys, /dev), no privileges, a limit of processes.
set -eu
build=$1
tests=$build/tests
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# Copies a program and the libraries it loads.
place() {
    mkdir -p "$root$(dirname "$2")"
    cp "$1" "$root$2"
    ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L -n "$library" "$root$library"
    done
}
mkdir "$root/tmp"
for test in threads stack stress process; do
    place "$tests/$test" "/$test"
done
place /bin/sh /bin/sh
place /usr/bin/sort /usr/bin/sort
place /usr/bin/seq /usr/bin/seq
place "$build/liblowfat.so" /liblowfat.so

inside() {
    unshare --user --map-root-user --mount --pid --net --ipc --uts --fork --root="$root" --wd=/ \
        /bin/sh -c "ulimit -p 4000 || exit 2; $1"
}
inside true || { echo "container: this system does not let programs make namespaces (unshare)" >&2; exit 1; }
mode=$(inside "/process mode")
[ "$mode" = arena ] || { echo "container: the mode is '$mode', expected 'arena'" >&2; exit 1; }
inside "/threads && /stack && /stress 2"
sum=$(inside "LD_PRELOAD=/liblowfat.so /usr/bin/seq 200000 | LD_PRELOAD=/liblowfat.so /usr/bin/sort -rn" | cksum)
[ "$sum" = "$(seq 200000 | sort -rn | cksum)" ] || { echo "container: sort under liblowfat sorts differently" >&2; exit 1; }
echo "container: ok"
