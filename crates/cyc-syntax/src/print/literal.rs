//! Literals: the shortest spelling that reads back as the same value.

use super::Printer;
use crate::ast::IntSuffix;
use std::fmt::Write;

impl Printer {
    pub(super) fn int(&mut self, value: u64, suffix: IntSuffix) {
        let _ = match suffix.decimal || value == 0 {
            true => write!(self.out, "{value}"),
            false => write!(self.out, "{value:#x}"),
        };
        self.text(if suffix.unsigned { "u" } else { "" });
        self.text(["", "l", "ll"][usize::from(suffix.longs.min(2))]);
    }

    pub(super) fn char(&mut self, value: u32, wide: bool) {
        self.text(if wide { "L'" } else { "'" });
        match u8::try_from(value).ok() {
            Some(b'\'') => self.text("\\'"),
            Some(b'"') => self.text("\""),
            Some(byte) => self.byte(byte),
            None => {
                let _ = write!(self.out, "\\x{value:x}");
            }
        }
        self.text("'");
    }

    /// One byte of a literal; three octal digits never run into what follows.
    fn byte(&mut self, byte: u8) {
        match byte {
            b'\\' => self.text("\\\\"),
            b'"' => self.text("\\\""),
            b'\n' => self.text("\\n"),
            b'\t' => self.text("\\t"),
            b'\r' => self.text("\\r"),
            b' '..=b'~' => self.out.push(byte as char),
            _ => {
                let _ = write!(self.out, "\\{byte:03o}");
            }
        }
    }

    pub(super) fn string(&mut self, bytes: &[u8]) {
        self.text("\"");
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                match u8::try_from(c) {
                    Ok(byte) if c.is_ascii() => self.byte(byte),
                    _ => self.out.push(c),
                }
            }
            chunk.invalid().iter().for_each(|byte| self.byte(*byte));
        }
        self.text("\"");
    }

    /// A wide literal; it is interrupted where a hexadecimal escape would run into the next character.
    pub(super) fn wide_string(&mut self, points: &[u32]) {
        self.text("L\"");
        let mut after_escape = false;
        for &point in points {
            let plain = char::from_u32(point).filter(|c| !c.is_control() || c.is_ascii());
            if after_escape && plain.is_some_and(|c| c.is_ascii_hexdigit()) {
                self.text("\" L\"");
            }
            after_escape = false;
            match (plain, u8::try_from(point)) {
                (Some(_), Ok(byte)) if byte < 128 => self.byte(byte),
                (Some(c), _) => self.out.push(c),
                (None, _) => {
                    let _ = write!(self.out, "\\x{point:x}");
                    after_escape = true;
                }
            }
        }
        self.text("\"");
    }
}
