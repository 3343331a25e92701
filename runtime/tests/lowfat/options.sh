#!/bin/sh
# options.sh PROGRAM - what LOWFAT_OPTIONS says about itself: mistakes are reported and harmless, statistics appear.
set -eu
said=$(LOWFAT_OPTIONS="bogus=1,exact=2:decay=12q keep=, stats" "$1" 2>&1)
for wrong in bogus=1 exact=2 decay=12q keep= stats; do
    case "$said" in *"LOWFAT_OPTIONS: ignored: $wrong"*) ;; *) echo "options: no complaint about $wrong" >&2; exit 1;; esac
done
case $(LOWFAT_OPTIONS=stats=1 "$1" 2>&1) in
*"lowfat statistics (mode arena)"*live_bytes*" class "*) ;;
*) echo "options: no statistics" >&2; exit 1;;
esac
echo "options: ok"
