#!/bin/sh
# limits.sh PROGRAM - the process test under limits of address space and data, and with the system's overcommit forbidden
# when this test may switch it (LOWFAT_TEST_OVERCOMMIT=1, root): the switch concerns the whole machine.
set -eu
program=$1

expect() { # expect MODE limit-command
    got=$(sh -c "$2; exec \"$program\" mode")
    [ "$got" = "$1" ] || { echo "limits: under '$2' the mode is '$got', expected '$1'" >&2; exit 1; }
}
expect arena true
expect grown "ulimit -v 20000000"
expect grown "ulimit -v 60000"
expect arena "ulimit -d 200000"
expect grown "export LOWFAT_OPTIONS=arena=grown"
expect plain "export LOWFAT_OPTIONS=arena=plain"

for limit in "ulimit -v 300000" "ulimit -v 60000" "ulimit -d 200000" "ulimit -v 200000; export LOWFAT_OPTIONS=arena=plain"; do
    sh -c "$limit; exec \"$program\" limited" || { echo "limits: failed under '$limit'" >&2; exit 1; }
done

if [ "${LOWFAT_TEST_OVERCOMMIT:-0}" = 1 ]; then
    before=$(cat /proc/sys/vm/overcommit_memory)
    trap 'echo "$before" > /proc/sys/vm/overcommit_memory' EXIT
    echo 2 > /proc/sys/vm/overcommit_memory
    "$program"
    expect arena true
    echo "limits: overcommit_memory=2 passed"
else
    echo "limits: overcommit_memory=2 NOT RUN here (make check-overcommit KERNEL=vmlinuz does in a virtual machine; or set LOWFAT_TEST_OVERCOMMIT=1 as root on a machine of your own)"
fi
echo "limits: ok"
