//! Errors of formats: E06xx.

use crate::format::parse::{BadFormat, Expect, Item, Width};
use cyc_base::{Diagnostic, Span};
use cyc_types::FloatTy;

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

pub fn bad_format(span: Span, mistake: &BadFormat) -> Diagnostic {
    match mistake {
        BadFormat::Unfinished => error("E0600", span, "bad format string: it ends inside a conversion")
            .here("no conversion letter")
            .help("write `%%` for a percent sign"),
        BadFormat::Unknown(letter) => {
            // A byte that is no ASCII letter belongs to a longer character, which the span shows whole.
            let what = if letter.is_ascii_graphic() { format!("`{letter}`") } else { "this".into() };
            error("E0601", span, format!("bad format string: {what} is no conversion")).here("unknown conversion")
        }
        BadFormat::Modifier { modifier, letter } => {
            error("E0602", span, format!("bad format string: `{modifier}` has no meaning before `{letter}`"))
                .here("length modifier and conversion do not go together")
        }
        BadFormat::Flag { flag, letter } => {
            error("E0603", span, format!("bad format string: the flag `{flag}` has no meaning for `{letter}`"))
                .here("flag and conversion do not go together")
        }
        BadFormat::Numbered => error("E0604", span, "bad format string: arguments by number are not supported")
            .here("`n$` selects an argument by its number")
            .help("give the arguments in the order of the conversions"),
        BadFormat::OpenSet => {
            error("E0605", span, "bad format string: the set of `%[` has no end").here("no closing `]`")
        }
    }
}

pub fn embedded_zero(span: Span) -> Diagnostic {
    error("E0606", span, "bad format string: it holds a zero character").here("the text after this would be ignored")
}

pub fn not_literal(span: Span) -> Diagnostic {
    error("E0607", span, "the format must be a string literal")
        .here("only a literal can be checked against the arguments of this function")
        .note("the library's functions are replaced by those that check while they run, `printf` by `vprintf`, when they are called by name")
        .help("to print a string, write `printf(\"%s\", s)`")
}

pub fn arms_differ(span: Span) -> Diagnostic {
    error("E0607", span, "the formats of both arms must ask for the same arguments").here("these formats differ")
}

pub fn too_few(span: Span, conversion: &str, wanted: usize, found: usize) -> Diagnostic {
    error("E0608", span, "too few arguments for the format")
        .here(format!("`{conversion}` has no argument"))
        .note(format!("the format asks for {wanted}, {found} given"))
}

pub fn too_many(span: Span, format: Span, wanted: usize, found: usize) -> Diagnostic {
    error("E0609", span, "too many arguments for the format")
        .here("no conversion uses this")
        .label(format, format!("asks for {wanted}, {found} given"))
}

pub fn mismatch(
    conversion: Span,
    item: &Item,
    argument: Span,
    found: &str,
    better: Option<String>,
    zeroterm: bool,
) -> Diagnostic {
    let wanted = expected(item.expect);
    let code = match item.expect {
        Expect::Str { .. } | Expect::CharBuffer => "E0611",
        Expect::Star => "E0612",
        Expect::PointerTarget => "E0613",
        Expect::IntTarget(_) | Expect::FloatTarget(_) => "E0614",
        _ => "E0610",
    };
    let diagnostic = error(code, argument, format!("descriptor has type {wanted} but argument has type `{found}`"))
        .here(format!("`{}` takes {wanted}", item.text))
        .label(conversion, "the conversion");
    match (item.expect, better) {
        (Expect::Star, _) => diagnostic.help("a width or precision `*` takes an `int`"),
        (Expect::IntTarget(_) | Expect::FloatTarget(_), None) if found.contains("@subset") => {
            diagnostic.help("store it in a variable without the condition; assigning that to this one checks it")
        }
        (Expect::PointerTarget, _) => diagnostic.help("no pointer can be read from text"),
        (Expect::Str { .. }, _) if !zeroterm && found.contains("char") => {
            diagnostic.help("only a zero-terminated string has an end: declare it `@zeroterm`")
        }
        (_, Some(better)) if better != item.text => {
            diagnostic.edit(conversion, better.clone(), format!("use `{better}` for a `{found}`"))
        }
        _ => diagnostic,
    }
}

pub fn converted(conversion: Span, item: &Item, argument: Span, found: &str, better: Option<String>) -> Diagnostic {
    let wanted = expected(item.expect);
    let message = format!("descriptor has type {wanted} but argument has type `{found}`");
    let diagnostic = Diagnostic::warning("W0610", argument, message)
        .here(format!("`{}` takes {wanted}: converted, which may change the value", item.text))
        .label(conversion, "the conversion");
    match better {
        Some(better) if better != item.text => {
            diagnostic.edit(conversion, better.clone(), format!("use `{better}` for a `{found}`"))
        }
        _ => diagnostic,
    }
}

fn expected(expect: Expect) -> String {
    match expect {
        Expect::Int(width) => format!("`{}` or its unsigned", int_name(width)),
        Expect::Star => "`int`".into(),
        Expect::Double => "`double`".into(),
        Expect::LongDouble => "`long double`".into(),
        Expect::Str { wide: false } => "a zero-terminated string (`const char *`)".into(),
        Expect::Str { wide: true } => "a zero-terminated wide string (`const wchar_t *`)".into(),
        Expect::Address => "a pointer or a `long`".into(),
        Expect::IntTarget(width) => format!("`{} @`, a place to store into", target_name(width)),
        Expect::FloatTarget(float) => format!("`{} @`, a place to store into", float_name(float)),
        Expect::CharBuffer => "`char ?`, a buffer to store into".into(),
        Expect::PointerTarget => "a place to store a pointer".into(),
    }
}

fn int_name(width: Width) -> &'static str {
    match width {
        Width::Char | Width::Short | Width::Int => "int",
        Width::LongLong => "long long",
        Width::Long | Width::Max | Width::Size | Width::Diff => "long",
    }
}

fn target_name(width: Width) -> &'static str {
    match width {
        Width::Char => "signed char",
        Width::Short => "short",
        other => int_name(other),
    }
}

fn float_name(float: FloatTy) -> &'static str {
    float.name()
}
