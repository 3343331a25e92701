//! Attributes about threads (E080x; what calls break is reported by flow analysis).

use cyc_base::{Diagnostic, Span, Symbol};
use cyc_types::{Hindrance, Obstacle};

/// `shares(n)`, `overwrites(n)` or `runs(n)` on a parameter of another type.
pub fn not_such_a_pointer(span: Span, name: Symbol, shown: &str, to_function: bool) -> Diagnostic {
    let wanted = if to_function { "a function" } else { "data" };
    Diagnostic::error("E0800", span, format!("`{name}` needs a parameter that is a pointer to {wanted}"))
        .here(format!("the parameter has type `{shown}`"))
        .help(match name.as_str() {
            "runs" => "`runs(n)` names the function that another thread is to run; values move there by `sends(n)`",
            "overwrites" => "`overwrites(n)` names a pointer to an object that the function overwrites as a whole",
            _ => {
                "`shares(n)` names a pointer to what several threads read; values move to another thread by `sends(n)`"
            }
        })
}

pub fn thread_safe_misplaced(span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0801",
        span,
        "only a struct that C code has, and that is not defined here, can be `thread_safe`",
    )
    .here("nothing would keep two threads from reaching its fields at once")
    .note("the attribute is trusted: it says that all functions of C which take the address of such a struct lock it")
    .help("declare the struct in `extern \"C\"`, without fields; data of Cyclone is shared behind a `Thread::Mutex`")
}

/// A function for a pointer whose type says `noheap`.
pub fn promise_missing(span: Span) -> Diagnostic {
    Diagnostic::error("E0806", span, "the type that is expected is `noheap`, and this function does not promise it")
        .here("it may touch the traced heap")
        .help("declare the function `__attribute__((noheap))`: the compiler then proves it")
}

/// Why a part of a type stands in the way, and what to do instead.
fn reasons(obstacle: Obstacle) -> (&'static str, &'static str) {
    match obstacle {
        Obstacle::Aliased => (
            "whoever has a copy of this pointer reaches the object too, at the same time",
            "move the only pointer: `T *`U`; what many threads use lies behind a `Thread::Mutex`",
        ),
        Obstacle::Written => (
            "behind this pointer a thread could write while others read",
            "make it a pointer to `const`, down to the last one",
        ),
        Obstacle::Counted => (
            "the pointers that share the count stay behind, and so does the way to the object",
            "move a unique pointer, or put the object behind a `Thread::Mutex`",
        ),
        Obstacle::ShortLived => (
            "the region of the object may end before the other thread does",
            "allocate the object in the heap, `unew`, or send the unique key of its region together with it",
        ),
        Obstacle::Code => (
            "what a function touches is known by its name only",
            "send what tells which function to call, and call it by its name",
        ),
        Obstacle::Handle => ("one thread at a time allocates in a region", "send the unique key of the region"),
        Obstacle::Variable => (
            "nothing is known about what this type variable stands for",
            "write `sends(n)`, or `shares(n)`, on the function too, `n` being a parameter of that type: its callers then answer for it",
        ),
        Obstacle::Hidden => (
            "what values of this type lead to is hidden",
            "send a type whose definition is known, without hidden types",
        ),
        Obstacle::Extensible => {
            ("other units may add constructors to this datatype", "send a closed datatype behind a unique pointer")
        }
    }
}

fn hindered(error: Diagnostic, shown: &[String; 2], hindrance: &Hindrance) -> Diagnostic {
    let (why, help) = reasons(hindrance.obstacle);
    let path = hindrance.path.iter().filter(|name| !name.is_empty()).cloned().collect::<Vec<_>>().join(".");
    let error = match (path.is_empty(), shown[0] == shown[1]) {
        (true, true) => error.here(why),
        (true, false) => error.here(format!("`{}` in it: {why}", shown[1])),
        (false, _) => error.here(format!("its part `{path}` is a `{}`: {why}", shown[1])),
    };
    error.help(help)
}

/// An argument that `sends(n)` moves to another thread.
pub fn not_sendable(span: Span, shown: &[String; 2], hindrance: &Hindrance) -> Diagnostic {
    let error =
        Diagnostic::error("E0802", span, format!("a value of type `{}` may not move to another thread", shown[0]));
    hindered(error, shown, hindrance)
}

/// An argument that `shares(n)` lets several threads read.
pub fn not_shareable(span: Span, shown: &[String; 2], hindrance: &Hindrance) -> Diagnostic {
    let message = format!("a value of type `{}` may not be read by several threads at once", shown[0]);
    hindered(Diagnostic::error("E0803", span, message), shown, hindrance)
}

/// An argument that `runs(n)` has another thread run.
pub fn not_a_name(span: Span) -> Diagnostic {
    Diagnostic::error("E0804", span, "another thread can only run a function that is given by its name")
        .here("which function this is, and so what it touches, is not known here")
        .note("a parameter of the function around will do, if that says `__attribute__((runs(n)))` of it and never assigns to it")
        .help("write the name of a function, one that uses no variables of functions around it")
}

/// What a function that another thread runs must not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// Mention a variable that threads can write to.
    Mutable,
    /// Take the address of a variable of which each thread has its own.
    AddressOfPrivate,
    /// Call C code that is not made for threads.
    SingleThreaded,
}

/// `way`: the function that the thread runs, what it mentions, and so on to what touches `name`, at `there`.
pub fn thread_touches(span: Span, way: &[&str], name: &str, touch: Touch, there: Span) -> Diagnostic {
    let root = way.first().copied().unwrap_or_default();
    let (does, here, help) = match touch {
        Touch::Mutable => (
            format!("may touch the variable `{name}`, as other threads may"),
            "a value that is read here may be half written by another thread",
            "make the variable `const`, or one for each thread (`__thread`), or pass it in, behind a `Thread::Mutex` if many need it",
        ),
        Touch::AddressOfPrivate => (
            format!("may take the address of `{name}`, of which each thread has its own"),
            "the variable ends with the thread, and the pointer says that it never does",
            "copy the variable, or use it by its name",
        ),
        Touch::SingleThreaded => (
            format!("may call `{name}`, which is not made for several threads"),
            "this C code keeps state of its own, which two threads would change at once",
            "call it in the first thread only, and send it what it needs",
        ),
    };
    let error = Diagnostic::error("E0805", span, format!("`{root}` runs in another thread, and {does}"))
        .here("given to another thread here")
        .label(there, here);
    let error = match way {
        [_] => error,
        way => error.note(format!("`{}` mentions it", way.join("` mentions `"))),
    };
    error.help(help)
}
