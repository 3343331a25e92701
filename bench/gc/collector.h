/* collector.h - the programs are written to the Boehm collector's interface; this chooses whose it is. */
#ifndef COLLECTOR_H
#define COLLECTOR_H
#ifdef WITH_BOEHM
#include <gc.h>
#else
#include <lowfat_boehm.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif
