//! Every message of the lexer and the parser, one constructor each. Codes E0001 to E0099.

use crate::literal::LiteralErrorKind;
use cyc_base::{Diagnostic, Span};

// ---------------------------------------------------------------- the shape of the program

pub(crate) fn expected(what: &str, found: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0001", at, format!("expected {what}, found {found}")).here(format!("expected {what}"))
}

/// The partner of `opener` is missing at a token that cannot go on.
pub(crate) fn expected_closer(closer: &str, opener: &str, open: Span, found: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0001", at, format!("expected {closer}, found {found}"))
        .here(format!("expected {closer}"))
        .label(open, format!("to close this `{opener}`"))
}

/// Adds the braces whose indentation suggests where the mistake is.
pub(crate) fn odd_brace(error: Diagnostic, open: Span, close: Span) -> Diagnostic {
    error.label(open, "perhaps it is this one:").label(close, "its partner is indented differently")
}

/// `at` is the empty place behind `after`, where the semicolon belongs.
pub(crate) fn missing_semicolon(after: &str, found: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0002", at, format!("expected `;` after {after}, found {found}"))
        .here("`;` is missing here")
        .edit(at, ";", "add the semicolon")
}

pub(crate) fn unclosed(opener: &str, open: Span, found: &str, at: Span) -> Diagnostic {
    let closer = closer(opener);
    Diagnostic::error("E0003", open, format!("this `{opener}` is never closed"))
        .here("opened here")
        .label(at, format!("expected `{closer}`, found {found}"))
        .help(format!("add `{closer}`, or remove the `{opener}`"))
}

fn closer(opener: &str) -> &'static str {
    match opener {
        "(" => ")",
        "[" => "]",
        "<" => ">",
        _ => "}",
    }
}

pub(crate) fn unmatched_closer(closer: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0004", at, format!("`{closer}` closes nothing"))
        .here("no opening partner")
        .help("an earlier brace or parenthesis was perhaps closed too soon")
}

pub(crate) fn too_deep(at: Span, limit: u32) -> Diagnostic {
    Diagnostic::error("E0005", at, "nested too deeply")
        .here(format!("more than {limit} constructs inside each other end here"))
        .help("split the code: name parts of the expression, or move inner blocks into functions")
}

pub(crate) fn too_tall(at: Span, limit: u32) -> Diagnostic {
    Diagnostic::error("E0005", at, "nested too deeply")
        .here(format!("this expression has more than {limit} operators in a row"))
        .help("split it: store intermediate results in variables")
}

pub(crate) fn too_many_errors(at: Span) -> Diagnostic {
    Diagnostic::error("E0006", at, "too many syntax errors; the rest is not read")
}

pub(crate) fn text_too_long() -> Diagnostic {
    Diagnostic::error("E0007", Span::NONE, "the translation unit is longer than 4 GiB")
}

// ---------------------------------------------------------------- characters and literals

/// Text between typographic quotes.
pub(crate) fn typographic_string(at: Span, inside: &str) -> Diagnostic {
    Diagnostic::error("E0010", at, "typographic quotes do not make a string").here("in typographic quotes").edit(
        at,
        format!("\"{inside}\""),
        "write plain ASCII quotes",
    )
}

pub(crate) fn unknown_char(at: Span, c: char) -> Diagnostic {
    let shown = if c.is_control() || c.is_whitespace() { format!("U+{:04X}", c as u32) } else { format!("`{c}`") };
    let error = Diagnostic::error("E0010", at, format!("character {shown} cannot begin a token"));
    let plain = match c {
        '\u{201c}' | '\u{201d}' => "\"",
        '\u{2018}' | '\u{2019}' => "'",
        '\u{2013}' | '\u{2014}' | '\u{2212}' => "-",
        '\u{a0}' | '\u{feff}' => " ",
        '\u{d7}' => "*",
        _ => return error.here("not part of the language outside strings and comments"),
    };
    error.here("typographic character").edit(at, plain, "write the plain ASCII character")
}

pub(crate) fn nul(at: Span) -> Diagnostic {
    Diagnostic::error("E0011", at, "NUL byte in the source").here("here").help("inside a string write `\\0`")
}

pub(crate) fn unterminated_comment(at: Span) -> Diagnostic {
    Diagnostic::error("E0012", at, "unterminated comment").here("it begins here and has no `*/`")
}

/// `open` is the opening quote, `line` the literal up to the end of its line.
pub(crate) fn unterminated_string(open: Span, line: Span) -> Diagnostic {
    Diagnostic::error("E0013", open, "unterminated string")
        .here("the string begins here")
        .label(line.end(), "and the line ends without a closing `\"`")
        .help("end the string with `\"`; to continue it, close it and open another on the next line")
}

pub(crate) fn unterminated_char(open: Span) -> Diagnostic {
    Diagnostic::error("E0014", open, "unterminated character constant")
        .here("it begins here and has no closing `'` on this line")
}

/// Something wrong inside a literal whose whole text is `text`.
pub(crate) fn literal(kind: LiteralErrorKind, at: Span, text: &str) -> Diagnostic {
    use LiteralErrorKind::*;
    match kind {
        EmptyChar => Diagnostic::error("E0015", at, "empty character constant").here("no character between the quotes"),
        ManyChars => multi_char(at, text),
        BadEscape => Diagnostic::error("E0017", at, "unknown escape sequence")
            .here("not an escape of C")
            .help("the escapes are \\a \\b \\f \\n \\r \\t \\v \\\\ \\' \\\" \\?, octal \\101 and hexadecimal \\x41; write a backslash itself as `\\\\`"),
        NoHexDigits => {
            Diagnostic::error("E0017", at, "escape sequence without digits").here("hexadecimal digits must follow")
        }
        EscapeTooLarge => Diagnostic::error("E0018", at, "escape sequence out of range")
            .here("the value does not fit a character"),
        BadSuffix => Diagnostic::error("E0019", at, "malformed number")
            .here("neither digits of this base nor a suffix")
            .help("integer suffixes are `u`, `l`, `ll` and their combinations; floating ones `f` and `l`"),
        NoDigits => Diagnostic::error("E0019", at, "malformed number").here("digits are missing"),
        NoExponent => {
            Diagnostic::error("E0019", at, "malformed floating constant").here("the exponent has no digits")
        }
        HexFloatWithoutExponent => Diagnostic::error("E0019", at, "malformed floating constant")
            .here("a hexadecimal floating constant needs an exponent, such as `p0`"),
        Imaginary => Diagnostic::error("E0019", at, "imaginary constants are not supported").here("imaginary suffix"),
        TooLarge => Diagnostic::error("E0020", at, "integer constant too large")
            .here("does not fit 64 bits")
            .note("the largest integer constant is 18446744073709551615"),
    }
}

fn multi_char(at: Span, text: &str) -> Diagnostic {
    let inside = text.trim_start_matches('L').trim_matches('\'');
    Diagnostic::error("E0016", at, "more than one character in a character constant")
        .here("a character constant holds exactly one byte")
        .help(format!("for text, write a string: \"{}\"", inside.replace('"', "\\\"")))
}

pub(crate) fn unicode_literal(at: Span, prefix: &str) -> Diagnostic {
    Diagnostic::error("E0023", at, format!("literals with prefix `{prefix}` are not supported"))
        .here("prefix of a C11 Unicode literal")
        .help("use a plain literal (UTF-8), or `L` for `wchar_t`")
}

pub(crate) fn blank_in_name(at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("E0024", at, "white space within a qualified name").here("a qualified name is one word").edit(
        at,
        name,
        "write it without white space",
    )
}

pub(crate) fn directive(at: Span, word: &str) -> Diagnostic {
    Diagnostic::error("E0021", at, format!("preprocessor directive `#{word}` in preprocessed text"))
        .here("the preprocessor should have removed it")
}

pub(crate) fn lone_backslash(at: Span) -> Diagnostic {
    Diagnostic::error("E0022", at, "stray backslash")
        .here("outside of literals a backslash begins an alias qualifier")
        .help("the alias qualifiers are `\\A`, `\\U`, `\\T` and `\\RC`")
}

pub(crate) fn lone_backquote(at: Span) -> Diagnostic {
    Diagnostic::error("E0022", at, "stray backquote").here("a type variable's name must follow, as in `` `a ``")
}

// ---------------------------------------------------------------- names and specifiers

pub(crate) fn keyword_as_identifier(what: &str, keyword: &str, cyclone: bool, at: Span) -> Diagnostic {
    let error = Diagnostic::error("E0030", at, format!("expected {what}, found keyword `{keyword}`"))
        .here(format!("`{keyword}` is reserved"));
    match cyclone {
        true => error
            .note(format!("`{keyword}` is an ordinary identifier in C but a keyword of Cyclone"))
            .help(format!("choose another name, for instance `{keyword}_`")),
        false => error.help("choose another name"),
    }
}

/// `like` is a keyword or type of a similar name.
pub(crate) fn unknown_type(name: &str, at: Span, like: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("E0031", at, format!("unknown type name `{name}`")).here("no typedef of this name");
    if let Some(like) = like {
        return error.edit(at, like, format!("write `{like}`"));
    }
    match (name, cyc_base::headers::of_type(name)) {
        ("string", _) => error.help("write `const char ?`"),
        (_, Some(header)) => error.help(format!("`#include <{header}>` defines `{name}`")),
        _ => error.help(format!("if it is a struct, union or enum tag, write the keyword: `struct {name}`")),
    }
}

pub(crate) fn unknown_at_word(word: &str, at: Span, like: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("E0032", at, format!("unknown qualifier `@{word}`"))
        .here("not a qualifier of pointers or types");
    match like {
        Some(like) => error.edit(at, format!("@{like}"), format!("write `@{like}`")),
        None => error.note(
            "read as the pointer `@` to a variable of that name, it makes no sense here; the pointer qualifiers are \
             @thin @fat @notnull @nullable @numelts(…) @zeroterm @nozeroterm @effect(…) @aqual(…) @autoreleased",
        ),
    }
}

pub(crate) fn type_clash(second: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::error("E0033", at, format!("`{second}` does not combine with the type before it"))
        .here("a second type")
        .label(first, "the first type")
}

pub(crate) fn second_storage(at: Span, first: Span) -> Diagnostic {
    Diagnostic::warning("W0001", at, "a declaration has at most one storage class; this one is ignored")
        .here("ignored")
        .label(first, "the storage class that counts")
}

pub(crate) fn missing_type(at: Span) -> Diagnostic {
    Diagnostic::warning("W0002", at, "missing type within specifier; `int` is assumed")
        .here("no type before this")
        .help("write the type")
}

pub(crate) fn no_type(found: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0034", at, format!("expected a type, found {found}")).here("expected a type")
}

// ---------------------------------------------------------------- declarators

pub(crate) fn fat_bound(at: Span) -> Diagnostic {
    Diagnostic::error("E0036", at, "a fat pointer takes no bound")
        .here("`?` carries its bounds at run time")
        .help("write `@{n}` or `*{n}` for a pointer to `n` elements, or `?` alone")
}

pub(crate) fn bare_bound(at: Span, var: &str) -> Diagnostic {
    Diagnostic::error("E0037", at, "a bound is an expression, not a type variable").here("type-level integer").edit(
        at,
        format!("valueof({var})"),
        "take the value of the type-level integer",
    )
}

pub(crate) fn qualifier_order(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0038", at, format!("`{what}` comes too late in this pointer type"))
        .here("must stand right behind the pointer's head")
        .help("the order is: `*`, qualifiers such as `@notnull`, region, attributes, then `const`, `volatile`, `restrict`")
}

pub(crate) fn binder_expected(at: Span) -> Diagnostic {
    Diagnostic::error("E0039", at, "only type variables can be bound here")
        .here("not a type variable")
        .help("parameters of a definition are type variables, such as `` `a `` or `` `r::E ``")
}

pub(crate) fn not_a_parameter(name: &str, at: Span, list: Span) -> Diagnostic {
    Diagnostic::error("E0040", at, format!("`{name}` is declared as a parameter but is not in the parameter list"))
        .here("not a parameter")
        .label(list, "the parameter list")
}

pub(crate) fn untyped_parameters(at: Span) -> Diagnostic {
    Diagnostic::error("E0041", at, "parameter names without types")
        .here("allowed only in the definition of a function, with declarations of the parameters before its body")
        .help("write the type before each parameter")
}

pub(crate) fn static_bound(at: Span) -> Diagnostic {
    Diagnostic::error("E0042", at, "no `static` or qualifiers inside array brackets")
        .here("a notation of C99 only")
        .help("`T @{n} x` is a pointer to at least `n` elements")
}

pub(crate) fn function_here(at: Span) -> Diagnostic {
    Diagnostic::error("E0043", at, "a function body cannot stand here")
        .here("only a function's declarator can be followed by a body")
}

// ---------------------------------------------------------------- expressions

pub(crate) fn brace_expression(at: Span) -> Diagnostic {
    Diagnostic::error("E0050", at, "a brace initialiser is not an expression")
        .here("allowed after `=` in a declaration, inside another initialiser, and after `new`")
        .help("write `S{…}` for a value of `struct S`, `$(…)` for a tuple, or `new {…}` for an array in the heap")
}

pub(crate) fn needs_parens(keyword: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0051", at, format!("`{keyword}` binds less tightly than the operator before it"))
        .here("not allowed as an operand")
        .help(format!("put parentheses around it: `({keyword} …)`"))
}

pub(crate) fn type_as_expression(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0052", at, format!("expected an expression, found type {what}")).here("this is a type")
}

pub(crate) fn type_var_as_expression(var: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0053", at, format!("expected an expression, found type variable `` {var} ``"))
        .here("this is a type")
        .help(format!("`` valueof({var}) `` is its value, if it is a type-level integer"))
}

pub(crate) fn calloc_sizeof(at: Span) -> Diagnostic {
    Diagnostic::error("E0054", at, "the last argument of this allocation must be `sizeof(T)`")
        .here("expected `sizeof(…)`")
        .note("the allocation learns the type of its elements from it")
}

pub(crate) fn computed_goto(at: Span) -> Diagnostic {
    Diagnostic::error("E0055", at, "computed jumps and labels as values are not supported").here("GNU C only")
}

// ---------------------------------------------------------------- statements

pub(crate) fn else_without_if(at: Span) -> Diagnostic {
    Diagnostic::error("E0060", at, "`else` without `if`")
        .here("no `if` statement ends just before this")
        .help("several statements between `if` and `else` need braces; a `;` behind `if (…)` is a statement of its own")
}

pub(crate) fn nested_case(keyword: &str, at: Span, switch: Option<Span>) -> Diagnostic {
    let Some(switch) = switch else {
        return Diagnostic::error("E0061", at, format!("`{keyword}` outside of a `switch`"))
            .here("clauses stand directly inside the braces of `switch` or `catch`");
    };
    Diagnostic::error("E0062", at, format!("`{keyword}` inside a nested statement"))
        .here("not directly inside the braces of the `switch`")
        .label(switch, "the enclosing `switch`")
        .help("Cyclone has no jumps into the middle of a statement (\"Duff's device\"): give each clause its own loop or block")
}

pub(crate) fn before_first_clause(at: Span, is_catch: bool) -> Diagnostic {
    let what = if is_catch { "catch" } else { "switch" };
    Diagnostic::error("E0063", at, "statement or declaration before the first `case`")
        .here(format!("nothing would ever reach it: the `{what}` goes straight to a clause"))
        .help(format!("move declarations in front of the `{what}`"))
}

pub(crate) fn empty_default(at: Span) -> Diagnostic {
    Diagnostic::error("E0064", at, "`default:` needs a statement").here("nothing follows").edit(
        at.end(),
        " break;",
        "leave the switch",
    )
}

pub(crate) fn label_at_end(at: Span) -> Diagnostic {
    Diagnostic::error("E0065", at, "label at the end of a block").here("a statement must follow").edit(
        at.end(),
        " ;",
        "add an empty statement",
    )
}

pub(crate) fn only_in_functions(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0066", at, format!("`{what}` outside of a function"))
        .here("allowed only inside function bodies")
}

pub(crate) fn statement_at_top(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0067", at, format!("expected a declaration, found {what}"))
        .here("statements stand inside functions")
        .help("a `}` too many above may have ended the function")
}

pub(crate) fn old_region_block(at: Span) -> Diagnostic {
    Diagnostic::error("E0068", at, "a region declaration ends with `;`")
        .here("a statement follows the region's name, as in releases before 1.0")
        .help("write `{ region r; … }`: the region lives to the end of the block")
}

// ---------------------------------------------------------------- patterns

pub(crate) fn bare_negative(at: Span) -> Diagnostic {
    Diagnostic::error("E0070", at, "a negative constant inside a pattern needs parentheses")
        .here("write `(-1)` instead of `-1`")
}

pub(crate) fn string_pattern(at: Span) -> Diagnostic {
    Diagnostic::error("E0071", at, "strings cannot occur within patterns")
        .here("string literal")
        .help("compare with `strcmp` in an `if`")
}

pub(crate) fn hide_with_names(at: Span) -> Diagnostic {
    Diagnostic::error("E0080", at, "`cyclone_hide` goes with `export { * }` only")
        .here("the export list already names what is visible")
}
