// Names of files, taken apart and put together. Nothing here looks at the file system.
//
//     using Filename;
#ifndef _CYC_FILENAME_H
#define _CYC_FILENAME_H

#include <core.h>

namespace Filename {

// s1, a slash, s2.
//
//     assert(strcmp(concat("dir", "file"), "dir/file") == 0);
mstring_t concat(string_t s1, string_t s2);
// What stands before the last dot; Core::Invalid_argument if there is none.
//
//     assert(strcmp(chop_extension("a.tar.gz"), "a.tar") == 0);
mstring_t chop_extension(string_t filename);
// What stands before the last slash, or "" if there is none; and behind it, or all.
//
//     assert(strcmp(dirname("/foo/bar"), "/foo") == 0 && strcmp(basename("/foo/bar"), "bar") == 0 && strcmp(dirname("bar"), "") == 0);
mstring_t dirname(string_t filename);
mstring_t basename(string_t filename);
// Does the name end in the suffix?
//
//     assert(check_suffix("a.cyc", ".cyc") && !check_suffix("a.cyc", ".c"));
bool check_suffix(string_t filename, string_t suffix);
// Backslashes as slashes, and a drive `X:` in front as `//X`.
//
//     assert(strcmp(gnuify("C:\\dir\\file"), "//C/dir/file") == 0);
mstring_t gnuify(string_t filename);

}
#endif
