//! Which header of the library declares a well-known name, for help to programs that have forgotten it. The suite `errors`
//! compares these tables with `lib/include`.

/// By header, the names that it declares: of C's library, or in `Core`. (Not all: those that one forgets.)
pub const NAMES: &[(&str, &[&str])] = &[
    (
        "stdio.h",
        &[
            "printf", "fprintf", "sprintf", "snprintf", "aprintf", "scanf", "sscanf", "fscanf", "puts", "putchar",
            "getchar", "getc", "putc", "fopen", "fclose", "fread", "fwrite", "fgets", "fputs", "fflush", "stdin",
            "stdout", "stderr", "perror", "EOF", "FILE",
        ],
    ),
    (
        "string.h",
        &[
            "strlen",
            "strcmp",
            "strncmp",
            "strcpy",
            "strncpy",
            "strcat",
            "strchr",
            "strrchr",
            "strstr",
            "strdup",
            "strerror",
            "memcpy",
            "memmove",
            "memset",
            "memcmp",
            "strptrcmp",
            "substring",
            "strconcat",
        ],
    ),
    (
        "stdlib.h",
        &[
            "exit",
            "abort",
            "atoi",
            "atof",
            "strtol",
            "strtod",
            "getenv",
            "rand",
            "srand",
            "qsort",
            "system",
            "EXIT_SUCCESS",
            "EXIT_FAILURE",
        ],
    ),
    ("ctype.h", &["isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "toupper", "tolower"]),
    ("math.h", &["sqrt", "pow", "sin", "cos", "tan", "atan2", "exp", "log", "floor", "ceil", "fabs", "fmod"]),
    ("errno.h", &["errno", "EINTR", "ENOENT", "ENOMEM"]),
    ("limits.h", &["INT_MAX", "INT_MIN", "LONG_MAX", "CHAR_BIT", "UINT_MAX"]),
    (
        "core.h",
        &[
            "ufree",
            "rufree",
            "alias_refptr",
            "drop_refptr",
            "refptr_count",
            "new_ukey",
            "new_rckey",
            "free_ukey",
            "free_rckey",
            "autorelease",
            "autorelease_handle",
            "unique_qual",
            "refcnt_qual",
            "heap_region",
            "unew",
            "rcnew",
            "intcmp",
        ],
    ),
    ("stdbool.h", &["true", "false"]),
    ("time.h", &["time", "clock", "localtime", "strftime"]),
    ("unistd.h", &["read", "write", "close", "fork", "getpid", "unlink", "usleep", "sleep"]),
];

/// The same for types.
pub const TYPES: &[(&str, &[&str])] = &[
    ("core.h", &["bool", "string_t"]),
    ("stddef.h", &["size_t", "wchar_t", "ptrdiff_t"]),
    ("stdio.h", &["FILE"]),
    ("time.h", &["time_t", "clock_t"]),
    ("sys/types.h", &["ssize_t", "off_t", "pid_t"]),
    ("stdarg.h", &["va_list"]),
    ("stdint.h", &["int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"]),
    ("stdint.h", &["intptr_t", "uintptr_t", "intmax_t", "uintmax_t"]),
];

/// The header of each namespace of the library that has one.
pub const NAMESPACES: &[(&str, &str)] = &[
    ("Arg", "arg.h"),
    ("Array", "array.h"),
    ("Base64", "base64.h"),
    ("Bitvec", "bitvec.h"),
    ("Buffer", "buffer.h"),
    ("Core", "core.h"),
    ("Dict", "dict.h"),
    ("Execinfo", "execinfo.h"),
    ("Filename", "filename.h"),
    ("Fn", "fn.h"),
    ("Graph", "graph.h"),
    ("Hashtable", "hashtable.h"),
    ("Heap", "heap.h"),
    ("Iter", "iter.h"),
    ("Lexing", "lexing.h"),
    ("Lineno", "lineno.h"),
    ("List", "list.h"),
    ("Pool", "pool.h"),
    ("Position", "position.h"),
    ("PP", "pp.h"),
    ("Queue", "queue.h"),
    ("Rope", "rope.h"),
    ("Set", "set.h"),
    ("Sexp", "sexp.h"),
    ("SlowDict", "slowdict.h"),
    ("Splay", "splay.h"),
    ("Thread", "thread.h"),
    ("Xarray", "xarray.h"),
    ("Xml", "xml/xml.h"),
    ("XmlDump", "xml/xmldump.h"),
    ("XmlParse", "xml/xmlparse.h"),
];

fn header(table: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(header, _)| *header)
}

pub fn of_name(name: &str) -> Option<&'static str> {
    header(NAMES, name)
}

pub fn of_type(name: &str) -> Option<&'static str> {
    header(TYPES, name)
}

pub fn of_namespace(path: &str) -> Option<&'static str> {
    NAMESPACES.iter().find(|(namespace, _)| *namespace == path).map(|(_, header)| *header)
}
