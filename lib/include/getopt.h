// Options of the command line, as POSIX and GNU have them. `argv` and its strings must be in the heap: optarg points into it.
#ifndef _CYC_GETOPT_H
#define _CYC_GETOPT_H

#include <core.h>

// The argument of the option that was found; the index of the next element of argv; whether mistakes are told on standard error;
// the option that is wrong.
extern char ?`H optarg;
extern int optind;
extern int opterr;
extern int optopt;

// A long option. If `flag` is null, getopt_long returns val; else it stores it there and returns 0. A table ends with a null name.
struct option {
  const char ?`H name;
  int has_arg;
  int *`H flag;
  int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2

// The next option: its letter, or '?' if it is unknown or lacks its argument (':' for that, if shortopts begins with a colon), or
// -1 after the last one. A letter that a colon follows in shortopts has an argument, with two colons an optional one. Elements
// that are no options move to the end of argv; with '+' in front of shortopts, or POSIXLY_CORRECT in the environment, the first
// one ends the options; with '-' each is returned as the argument of option 1. `--` ends the options.
//
//     char ?`H ?`H argv = new {(char ?`H)strdup("prog"), strdup("-v"), strdup("-o"), strdup("out"), strdup("file"), NULL};
//     optind = 0;
//     assert(getopt(5, argv, "vo:") == 'v' && getopt(5, argv, "vo:") == 'o' && strcmp(optarg, "out") == 0);
//     assert(getopt(5, argv, "vo:") == -1 && optind == 4);
int getopt(int argc, char ?`H ?`H argv, const char ?shortopts);
// Long options too, `--name` or `--name=value`, abbreviated or not, whose index is stored through longind; with `W;` in
// shortopts also `-W name`. The _only one also takes `-name`.
//
//     char ?`H ?`H argv = new {(char ?`H)strdup("prog"), strdup("--size=5"), strdup("-size"), strdup("6"), NULL};
//     const struct option ?`H options = new {option{"size", required_argument, NULL, 's'}, option{NULL, 0, NULL, 0}};
//     optind = 0;
//     int which = -1;
//     assert(getopt_long(4, argv, "", options, &which) == 's' && which == 0 && strcmp(optarg, "5") == 0);
//     assert(getopt_long_only(4, argv, "", options, NULL) == 's' && strcmp(optarg, "6") == 0);
int getopt_long(int argc, char ?`H ?`H argv, const char ?shortopts, const struct option ?longopts, int *longind);
int getopt_long_only(int argc, char ?`H ?`H argv, const char ?shortopts, const struct option ?longopts, int *longind);
int _getopt_internal(int argc, char ?`H ?`H argv, const char ?shortopts, const struct option ?longopts, int *longind,
                     int long_only);

#endif
