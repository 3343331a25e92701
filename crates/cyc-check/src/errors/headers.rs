//! Which header declares a well-known name, for help to programs that have forgotten it.

/// Of a name of C's library, or one that `core.h` declares in `Core`.
pub(super) fn of_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "printf" | "fprintf" | "sprintf" | "snprintf" | "aprintf" | "scanf" | "sscanf" | "fscanf" | "puts"
        | "putchar" | "getchar" | "getc" | "putc" | "fopen" | "fclose" | "fread" | "fwrite" | "fgets" | "fputs"
        | "fflush" | "stdin" | "stdout" | "stderr" | "perror" | "EOF" | "FILE" => "stdio.h",
        "strlen" | "strcmp" | "strncmp" | "strcpy" | "strncpy" | "strcat" | "strchr" | "strrchr" | "strstr"
        | "strdup" | "strerror" | "memcpy" | "memmove" | "memset" | "memcmp" | "strptrcmp" | "substring"
        | "strconcat" => "string.h",
        "exit" | "abort" | "atoi" | "atof" | "strtol" | "strtod" | "getenv" | "rand" | "srand" | "qsort" | "system"
        | "EXIT_SUCCESS" | "EXIT_FAILURE" => "stdlib.h",
        "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "ispunct" | "toupper" | "tolower" => {
            "ctype.h"
        }
        "sqrt" | "pow" | "sin" | "cos" | "tan" | "atan2" | "exp" | "log" | "floor" | "ceil" | "fabs" | "fmod" => {
            "math.h"
        }
        "errno" | "EINTR" | "ENOENT" | "ENOMEM" => "errno.h",
        "INT_MAX" | "INT_MIN" | "LONG_MAX" | "CHAR_BIT" | "UINT_MAX" => "limits.h",
        "ufree" | "rufree" | "alias_refptr" | "drop_refptr" | "refptr_count" | "new_ukey" | "new_rckey"
        | "free_ukey" | "free_rckey" | "autorelease" | "autorelease_handle" | "unique_qual" | "refcnt_qual"
        | "heap_region" | "unew" | "rcnew" | "intcmp" => "core.h",
        "true" | "false" => "stdbool.h",
        "time" | "clock" | "localtime" | "strftime" => "time.h",
        "read" | "write" | "close" | "fork" | "getpid" | "unlink" | "usleep" | "sleep" => "unistd.h",
        _ => return None,
    })
}

/// Of a namespace of the library.
pub(super) fn of_namespace(path: &str) -> Option<&'static str> {
    const HEADERS: &[(&str, &str)] = &[
        ("Arg", "arg.h"),
        ("Array", "array.h"),
        ("Base64", "base64.h"),
        ("Bitvec", "bitvec.h"),
        ("Buffer", "buffer.h"),
        ("Core", "core.h"),
        ("Dict", "dict.h"),
        ("Filename", "filename.h"),
        ("Fn", "fn.h"),
        ("Graph", "graph.h"),
        ("Hashtable", "hashtable.h"),
        ("Heap", "heap.h"),
        ("Iter", "iter.h"),
        ("Lexing", "lexing.h"),
        ("List", "list.h"),
        ("Pool", "pool.h"),
        ("PP", "pp.h"),
        ("Queue", "queue.h"),
        ("Rope", "rope.h"),
        ("Set", "set.h"),
        ("SlowDict", "slowdict.h"),
        ("Splay", "splay.h"),
        ("Xarray", "xarray.h"),
    ];
    HEADERS.iter().find(|(namespace, _)| *namespace == path).map(|(_, header)| *header)
}
