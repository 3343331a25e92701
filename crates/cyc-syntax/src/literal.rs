//! The values of literals (section 1.5 of the reference).
//!
//! The lexer calls these functions to find what is wrong in a literal, the parser to get its value.

use crate::ast::{FloatWidth, IntSuffix};

/// What is wrong with a literal, and where: byte positions relative to its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralError {
    pub at: std::ops::Range<usize>,
    pub kind: LiteralErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralErrorKind {
    TooLarge,
    BadSuffix,
    NoDigits,
    NoExponent,
    Imaginary,
    HexFloatWithoutExponent,
    BadEscape,
    EscapeTooLarge,
    NoHexDigits,
    EmptyChar,
    ManyChars,
}

use LiteralErrorKind::*;

fn error<T>(at: std::ops::Range<usize>, kind: LiteralErrorKind) -> Result<T, LiteralError> {
    Err(LiteralError { at, kind })
}

/// The value and suffix of an integer constant: decimal, octal, hexadecimal, or GNU's `0b` binary.
/// A number that begins with 0 but has a digit 8 or 9 is decimal.
pub fn integer(text: &str) -> Result<(u64, IntSuffix), LiteralError> {
    let bytes = text.as_bytes();
    let (radix, start) = match bytes {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', ..] => (8, 0),
        _ => (10, 0),
    };
    let is_digit = |b: &u8| if radix == 16 { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let end = start + bytes[start..].iter().take_while(|b| is_digit(b)).count();
    let digits = &bytes[start..end];
    if digits.is_empty() {
        return error(0..text.len(), NoDigits);
    }
    let radix = if radix == 8 && digits.iter().any(|b| *b > b'7') { 10 } else { radix };
    let mut value = 0u64;
    for (i, b) in digits.iter().enumerate() {
        let digit = u64::from((*b as char).to_digit(16).unwrap_or(0));
        if digit >= radix {
            return error(start + i..start + i + 1, BadSuffix);
        }
        value = match value.checked_mul(radix).and_then(|v| v.checked_add(digit)) {
            Some(value) => value,
            None => return error(0..end, TooLarge),
        };
    }
    let suffix = int_suffix(&text[end..], bytes[0] != b'0' || radix == 10);
    match suffix {
        Some(suffix) => Ok((value, suffix)),
        None if text[end..].contains(['i', 'j', 'I', 'J']) => error(end..text.len(), Imaginary),
        None => error(end..text.len(), BadSuffix),
    }
}

/// `u`, `l` and `ll` in either order and either case.
fn int_suffix(text: &str, decimal: bool) -> Option<IntSuffix> {
    let without_u = text.strip_suffix(['u', 'U']).or_else(|| text.strip_prefix(['u', 'U']));
    let longs = match without_u.unwrap_or(text) {
        "" => 0,
        "l" | "L" => 1,
        "ll" | "LL" => 2,
        _ => return None,
    };
    Some(IntSuffix { unsigned: without_u.is_some(), longs, decimal })
}

/// The width of a floating constant, by its suffix.
pub fn float(text: &str) -> Result<FloatWidth, LiteralError> {
    let bytes = text.as_bytes();
    let hex = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let mut at = if hex { 2 } else { 0 };
    let mantissa = at;
    let mut digits = 0;
    while let Some(b) = bytes.get(at) {
        match b {
            b'.' => {}
            b if b.is_ascii_digit() || (hex && b.is_ascii_hexdigit()) => digits += 1,
            _ => break,
        }
        at += 1;
    }
    if digits == 0 {
        return error(mantissa..text.len(), NoDigits);
    }
    if matches!((hex, bytes.get(at)), (false, Some(b'e' | b'E')) | (true, Some(b'p' | b'P'))) {
        let mark = at;
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let start = at;
        at += bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if at == start {
            return error(mark..text.len(), NoExponent);
        }
    } else if hex {
        return error(0..text.len(), HexFloatWithoutExponent);
    }
    match &text[at..] {
        "" => Ok(FloatWidth::Double),
        "f" | "F" => Ok(FloatWidth::Float),
        "l" | "L" => Ok(FloatWidth::LongDouble),
        "f16" | "F16" | "f32" | "F32" => Ok(FloatWidth::Float),
        "f64" | "F64" | "f32x" | "F32x" => Ok(FloatWidth::Double),
        "f64x" | "F64x" => Ok(FloatWidth::LongDouble),
        "f128" | "F128" | "q" | "Q" => Ok(FloatWidth::Float128),
        suffix if suffix.contains(['i', 'j', 'I', 'J']) => error(at..text.len(), Imaginary),
        _ => error(at..text.len(), BadSuffix),
    }
}

/// One character of a literal as written.
enum Unit {
    /// A character of the source, or `\u`: its code point.
    Char(char),
    /// `\n`, `\x41`, `\101`: a value of the element type.
    Value(u32),
}

/// Goes through the inside of a string or character literal, which starts at `base` in the token.
fn units(body: &str, base: usize, mut each: impl FnMut(Unit), mut wrong: impl FnMut(LiteralError)) {
    let mut rest = body.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if c != '\\' {
            each(Unit::Char(c));
            continue;
        }
        let Some((_, escape)) = rest.next() else { break };
        let mut number = |radix: u32, most: usize, first: Option<u32>| {
            let mut value = first;
            for _ in 0..most {
                let Some(digit) = rest.peek().and_then(|(_, c)| c.to_digit(radix)) else { break };
                value = Some(value.unwrap_or(0).saturating_mul(radix).saturating_add(digit));
                rest.next();
            }
            let end = rest.peek().map_or(body.len(), |(i, _)| *i);
            (value, base + at..base + end)
        };
        let simple = match escape {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'e' => 27,
            '\\' | '\'' | '"' | '?' => escape as u32,
            '0'..='7' => number(8, 2, escape.to_digit(8)).0.unwrap_or(0),
            '\n' => continue,
            'x' => match number(16, usize::MAX, None) {
                (Some(value), _) => value,
                (None, at) => {
                    wrong(LiteralError { at, kind: NoHexDigits });
                    continue;
                }
            },
            'u' | 'U' => {
                let (value, at) = number(16, if escape == 'u' { 4 } else { 8 }, None);
                match value.map(char::from_u32) {
                    None => wrong(LiteralError { at, kind: NoHexDigits }),
                    Some(None) => wrong(LiteralError { at, kind: EscapeTooLarge }),
                    Some(Some(c)) => each(Unit::Char(c)),
                }
                continue;
            }
            other => {
                let at = base + at..base + at + 1 + other.len_utf8();
                wrong(LiteralError { at, kind: BadEscape });
                continue;
            }
        };
        each(Unit::Value(simple));
    }
}

/// The bytes of a narrow string, given the text between its quotes.
pub fn narrow(body: &str, base: usize, mut wrong: impl FnMut(LiteralError)) -> Vec<u8> {
    if !body.contains('\\') {
        return body.as_bytes().to_vec();
    }
    let mut bytes = Vec::with_capacity(body.len());
    let mut large = false;
    let each = |unit| match unit {
        Unit::Char(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Unit::Value(v) => {
            large |= v > 255;
            bytes.push(v as u8);
        }
    };
    units(body, base, each, &mut wrong);
    if large {
        wrong(LiteralError { at: base..base + body.len(), kind: EscapeTooLarge });
    }
    bytes
}

/// The code points of a wide string.
pub fn wide(body: &str, base: usize, wrong: impl FnMut(LiteralError)) -> Vec<u32> {
    let mut points = vec![];
    let each = |unit| {
        points.push(match unit {
            Unit::Char(c) => c as u32,
            Unit::Value(v) => v,
        })
    };
    units(body, base, each, wrong);
    points
}

/// The value of a character constant, given the text between its quotes.
pub fn character(body: &str, base: usize, is_wide: bool, mut wrong: impl FnMut(LiteralError)) -> u32 {
    let mut failed = false;
    let mut note = |e| {
        failed = true;
        wrong(e)
    };
    let values: Vec<u32> = match is_wide {
        true => wide(body, base, &mut note),
        false => narrow(body, base, &mut note).into_iter().map(u32::from).collect(),
    };
    if !failed && values.len() != 1 {
        let kind = if values.is_empty() { EmptyChar } else { ManyChars };
        wrong(LiteralError { at: 0..base + body.len() + 1, kind });
    }
    values.first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Result<u64, LiteralErrorKind> {
        integer(text).map(|(v, _)| v).map_err(|e| e.kind)
    }

    #[test]
    fn integers_of_every_base() {
        assert_eq!(int("0"), Ok(0));
        assert_eq!(int("017"), Ok(15));
        assert_eq!(int("018"), Ok(18));
        assert_eq!(int("0xFFul"), Ok(255));
        assert_eq!(int("0b101"), Ok(5));
        assert_eq!(int("18446744073709551615u"), Ok(u64::MAX));
        assert_eq!(int("18446744073709551616"), Err(TooLarge));
        assert_eq!(int("0x"), Err(NoDigits));
        assert_eq!(int("12ab"), Err(BadSuffix));
        assert_eq!(int("1uu"), Err(BadSuffix));
        assert_eq!(int("1lL"), Err(BadSuffix));
    }

    #[test]
    fn suffixes_in_either_order() {
        for text in ["1ull", "1LLU", "1Ull"] {
            let suffix = IntSuffix { unsigned: true, longs: 2, decimal: true };
            assert_eq!(integer(text).unwrap().1, suffix, "{text}");
        }
        assert!(!integer("0x1").unwrap().1.decimal);
    }

    #[test]
    fn floats() {
        assert_eq!(float("1.5f"), Ok(FloatWidth::Float));
        assert_eq!(float(".5"), Ok(FloatWidth::Double));
        assert_eq!(float("1e10L"), Ok(FloatWidth::LongDouble));
        assert_eq!(float("0x1.8p3"), Ok(FloatWidth::Double));
        assert_eq!(float("1e").unwrap_err().kind, NoExponent);
        assert_eq!(float("0x1.8").unwrap_err().kind, HexFloatWithoutExponent);
        assert_eq!(float("1.0i").unwrap_err().kind, Imaginary);
        assert_eq!(float("1.0xyz").unwrap_err().kind, BadSuffix);
    }

    #[test]
    fn escapes_and_their_errors() {
        let ok = |body: &str| narrow(body, 1, |e| panic!("{e:?}"));
        assert_eq!(ok(r"a\n\x41\101\0"), b"a\nAA\0");
        assert_eq!(ok(r"\u00e9"), "é".as_bytes());
        let mut errors = vec![];
        narrow(r"\q\x\400", 1, |e| errors.push(e.kind));
        assert_eq!(errors, [BadEscape, NoHexDigits, EscapeTooLarge]);
        assert_eq!(wide(r"é\x3b1", 2, |e| panic!("{e:?}")), [0xe9, 0x3b1]);
    }

    #[test]
    fn character_constants_hold_one_character() {
        let kind = |body: &str| {
            let mut kind = None;
            character(body, 1, false, |e| kind = Some(e.kind));
            kind
        };
        assert_eq!(kind("a"), None);
        assert_eq!(kind(r"\377"), None);
        assert_eq!(kind(""), Some(EmptyChar));
        assert_eq!(kind("ab"), Some(ManyChars));
        assert_eq!(kind("é"), Some(ManyChars));
    }
}
