#!/bin/sh
# overcommit.sh CC BUILD INCLUDE KERNEL - process, thread, stack and random tests with vm.overcommit_memory=2, which concerns a
# whole machine: in a virtual one that boots KERNEL (a vmlinuz, for instance out of Debian's linux-image-cloud-amd64).
# Needs qemu-system-x86 and cpio; some minutes, for the processor is emulated.
set -eu
cc=$1 build=$2 include=$3 kernel=$4
tests=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/proc" "$work/tree/dev"
for test in process threads stack stress; do
    "$cc" -std=gnu11 -O2 -w -static -I"$include" "$tests/$test.c" "$build/liblowfat-api.a" -o "$work/tree/$test" -lpthread
done
"$cc" -O2 -w -static "$tests/overcommit-init.c" -o "$work/tree/init"
(cd "$work/tree" && find . | cpio -o -H newc --quiet) > "$work/initrd"
timeout 900 qemu-system-x86_64 -cpu max -m 5200 -smp 2 -kernel "$kernel" -initrd "$work/initrd" \
    -append "console=ttyS0 loglevel=3 panic=1" -nographic -no-reboot -nic none > "$work/log" 2>&1 || true
grep -a '^overcommit:\|failed' "$work/log" | tr -d '\r' || true
grep -aq '^overcommit: all tests passed' "$work/log"
