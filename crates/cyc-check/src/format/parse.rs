//! Reading format strings: what each conversion of `printf` and `scanf` asks of its argument
//! (core, section 11.2; C11, 7.21.6).

use cyc_types::FloatTy;

/// What one conversion (or a `*` in it) asks of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    /// An integer passed at this width; the sign does not matter.
    Int(Width),
    /// A width or precision given by `*`.
    Star,
    Double,
    LongDouble,
    /// A zero-terminated string; `wide`: of `wchar_t`.
    Str {
        wide: bool,
    },
    /// An address, shown as a number.
    Address,
    /// Where an integer of this width is stored.
    IntTarget(Width),
    FloatTarget(FloatTy),
    /// A buffer that characters are stored in.
    CharBuffer,
    /// Where a pointer would be stored: never allowed.
    PointerTarget,
}

impl Expect {
    /// Where a number is stored?
    pub fn is_target(self) -> bool {
        matches!(self, Self::IntTarget(_) | Self::FloatTarget(_))
    }
}

/// Length modifiers of integers, by the C type they name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    /// `j`: `intmax_t`, `long` on this platform.
    Max,
    /// `z`: `size_t`.
    Size,
    /// `t`: `ptrdiff_t`.
    Diff,
}

/// One argument that the format asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub expect: Expect,
    /// The conversion's text, `%5.2f`.
    pub text: String,
    /// Its place in the format's value: bytes `at.0 .. at.1`.
    pub at: (usize, usize),
}

/// What is wrong with a format by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadFormat {
    /// The string ends inside a conversion.
    Unfinished,
    /// No such conversion letter.
    Unknown(char),
    /// The letter exists but not with this length modifier.
    Modifier { modifier: &'static str, letter: char },
    /// A flag that has no meaning for the conversion.
    Flag { flag: char, letter: char },
    /// `%1$d`: arguments by number.
    Numbered,
    /// `%[` without `]`.
    OpenSet,
}

/// A mistake in the format with its place in the value.
pub type Mistake = (BadFormat, (usize, usize));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Modifier {
    None,
    Hh,
    H,
    L,
    Ll,
    J,
    Z,
    T,
    BigL,
}

impl Modifier {
    fn text(self) -> &'static str {
        match self {
            Modifier::None => "",
            Modifier::Hh => "hh",
            Modifier::H => "h",
            Modifier::L => "l",
            Modifier::Ll => "ll",
            Modifier::J => "j",
            Modifier::Z => "z",
            Modifier::T => "t",
            Modifier::BigL => "L",
        }
    }

    fn width(self) -> Option<Width> {
        Some(match self {
            Modifier::None => Width::Int,
            Modifier::Hh => Width::Char,
            Modifier::H => Width::Short,
            Modifier::L => Width::Long,
            Modifier::Ll => Width::LongLong,
            Modifier::J => Width::Max,
            Modifier::Z => Width::Size,
            Modifier::T => Width::Diff,
            Modifier::BigL => return None,
        })
    }
}

/// The bytes of a format and how far they have been read.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// Moves past the next `%` that begins a conversion (not `%%`); gives where it stands.
    fn conversion(&mut self) -> Option<usize> {
        while let Some(byte) = self.next() {
            if byte == b'%' {
                if self.eat(b'%') {
                    continue;
                }
                return Some(self.at - 1);
            }
        }
        None
    }

    fn modifier(&mut self) -> Modifier {
        match self.peek() {
            Some(b'h') => {
                self.at += 1;
                if self.eat(b'h') { Modifier::Hh } else { Modifier::H }
            }
            Some(b'l') => {
                self.at += 1;
                if self.eat(b'l') { Modifier::Ll } else { Modifier::L }
            }
            Some(b'j') => self.take(Modifier::J),
            Some(b'z') => self.take(Modifier::Z),
            Some(b't') => self.take(Modifier::T),
            Some(b'L') => self.take(Modifier::BigL),
            _ => Modifier::None,
        }
    }

    fn take(&mut self, modifier: Modifier) -> Modifier {
        self.at += 1;
        modifier
    }

    fn text(&self, from: usize) -> String {
        String::from_utf8_lossy(&self.bytes[from..self.at]).into_owned()
    }
}

/// `% flags width .precision modifier letter` of printf.
pub fn printf(format: &[u8]) -> (Vec<Item>, Vec<Mistake>) {
    let mut cursor = Cursor { bytes: format, at: 0 };
    let (mut items, mut mistakes) = (vec![], vec![]);
    while let Some(start) = cursor.conversion() {
        let mut stars = 0;
        let mut flags = vec![];
        while let Some(flag @ (b'-' | b'+' | b' ' | b'#' | b'0' | b'\'')) = cursor.peek() {
            flags.push(flag);
            cursor.at += 1;
        }
        if cursor.eat(b'*') {
            stars += 1;
        } else {
            cursor.digits();
        }
        if cursor.eat(b'$') {
            mistakes.push((BadFormat::Numbered, (start, cursor.at)));
            return (items, mistakes);
        }
        if cursor.eat(b'.') {
            if cursor.eat(b'*') {
                stars += 1;
            } else {
                cursor.eat(b'-');
                cursor.digits();
            }
        }
        let modifier = cursor.modifier();
        let Some(letter) = cursor.next() else {
            mistakes.push((BadFormat::Unfinished, (start, cursor.at)));
            break;
        };
        let at = (start, cursor.at);
        let text = cursor.text(start);
        match printf_argument(letter, modifier).and_then(|expect| check_flags(&flags, letter).map(|()| expect)) {
            Ok(expect) => {
                items.extend((0..stars).map(|_| Item { expect: Expect::Star, text: text.clone(), at }));
                items.push(Item { expect, text, at });
            }
            Err(mistake) => mistakes.push((mistake, at)),
        }
    }
    (items, mistakes)
}

/// `#` and `0` and `'` mean something for some conversions only; elsewhere C leaves them undefined.
fn check_flags(flags: &[u8], letter: u8) -> Result<(), BadFormat> {
    let allowed = |flag: u8| match flag {
        b'#' => b"oxXaAeEfFgG".contains(&letter),
        b'0' => b"diouxXaAeEfFgG".contains(&letter),
        b'\'' => b"diufFgG".contains(&letter),
        _ => true,
    };
    match flags.iter().find(|flag| !allowed(**flag)) {
        None => Ok(()),
        Some(flag) => Err(BadFormat::Flag { flag: *flag as char, letter: letter as char }),
    }
}

fn printf_argument(letter: u8, modifier: Modifier) -> Result<Expect, BadFormat> {
    let wrong = Err(BadFormat::Modifier { modifier: modifier.text(), letter: letter as char });
    match (letter, modifier) {
        (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', _) => modifier.width().map(Expect::Int).map_or(wrong, Ok),
        (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', Modifier::None | Modifier::L) => Ok(Expect::Double),
        (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', Modifier::BigL) => Ok(Expect::LongDouble),
        (b'c', Modifier::None | Modifier::L) => Ok(Expect::Int(Width::Int)),
        (b's', Modifier::None) => Ok(Expect::Str { wide: false }),
        (b's', Modifier::L) => Ok(Expect::Str { wide: true }),
        (b'p', Modifier::None) => Ok(Expect::Address),
        (b'n', _) => modifier.width().map(Expect::IntTarget).map_or(wrong, Ok),
        (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'c' | b's' | b'p', _) => wrong,
        _ => Err(BadFormat::Unknown(letter.into())),
    }
}

/// `% * width modifier letter` of scanf; `*` suppresses the assignment.
pub fn scanf(format: &[u8]) -> (Vec<Item>, Vec<Mistake>) {
    let mut cursor = Cursor { bytes: format, at: 0 };
    let (mut items, mut mistakes) = (vec![], vec![]);
    while let Some(start) = cursor.conversion() {
        let suppressed = cursor.eat(b'*');
        cursor.digits();
        if cursor.eat(b'$') {
            mistakes.push((BadFormat::Numbered, (start, cursor.at)));
            return (items, mistakes);
        }
        let modifier = cursor.modifier();
        let Some(letter) = cursor.next() else {
            mistakes.push((BadFormat::Unfinished, (start, cursor.at)));
            break;
        };
        if letter == b'[' && !scan_set(&mut cursor) {
            mistakes.push((BadFormat::OpenSet, (start, cursor.at)));
            break;
        }
        let at = (start, cursor.at);
        match scanf_argument(letter, modifier) {
            Ok(_) if suppressed => {}
            Ok(expect) => items.push(Item { expect, text: cursor.text(start), at }),
            Err(mistake) => mistakes.push((mistake, at)),
        }
    }
    (items, mistakes)
}

/// The rest of `%[…]`: a `]` right after `[` or `[^` belongs to the set.
fn scan_set(cursor: &mut Cursor) -> bool {
    cursor.eat(b'^');
    cursor.eat(b']');
    while let Some(byte) = cursor.next() {
        if byte == b']' {
            return true;
        }
    }
    false
}

fn scanf_argument(letter: u8, modifier: Modifier) -> Result<Expect, BadFormat> {
    let wrong = Err(BadFormat::Modifier { modifier: modifier.text(), letter: letter as char });
    match (letter, modifier) {
        (b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n', _) => {
            modifier.width().map(Expect::IntTarget).map_or(wrong, Ok)
        }
        (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', _) => match modifier {
            Modifier::None => Ok(Expect::FloatTarget(FloatTy::Float)),
            Modifier::L => Ok(Expect::FloatTarget(FloatTy::Double)),
            Modifier::BigL => Ok(Expect::FloatTarget(FloatTy::LongDouble)),
            _ => wrong,
        },
        (b'c' | b's' | b'[', Modifier::None) => Ok(Expect::CharBuffer),
        (b'p', Modifier::None) => Ok(Expect::PointerTarget),
        (b'c' | b's' | b'[' | b'p', _) => wrong,
        _ => Err(BadFormat::Unknown(letter.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expects(format: &str) -> Vec<Expect> {
        let (items, mistakes) = printf(format.as_bytes());
        assert_eq!(mistakes, vec![], "{format}");
        items.into_iter().map(|item| item.expect).collect()
    }

    #[test]
    fn printf_conversions_and_their_modifiers() {
        assert_eq!(expects("100%% plain"), vec![]);
        assert_eq!(expects("%d%5hhd%-3ld%+lli%zu%jd%tx"), {
            use Width::*;
            [Int, Char, Long, LongLong, Size, Max, Diff].map(Expect::Int).to_vec()
        });
        assert_eq!(expects("%*.*f|%Lg|%s|%ls"), {
            vec![
                Expect::Star,
                Expect::Star,
                Expect::Double,
                Expect::LongDouble,
                Expect::Str { wide: false },
                Expect::Str { wide: true },
            ]
        });
    }

    #[test]
    fn printf_mistakes_have_places() {
        assert_eq!(printf(b"ab%y").1, vec![(BadFormat::Unknown('y'), (2, 4))]);
        assert_eq!(printf(b"ab%5").1, vec![(BadFormat::Unfinished, (2, 4))]);
        assert_eq!(printf(b"%1$d").1, vec![(BadFormat::Numbered, (0, 3))]);
        assert_eq!(printf(b"%hs").1, vec![(BadFormat::Modifier { modifier: "h", letter: 's' }, (0, 3))]);
        assert_eq!(printf(b"%0s").1, vec![(BadFormat::Flag { flag: '0', letter: 's' }, (0, 3))]);
    }

    #[test]
    fn scanf_sets_and_suppression() {
        let (items, mistakes) = scanf(b"%*d %[^]x] %3s%lf%n");
        assert_eq!(mistakes, vec![]);
        let expects: Vec<_> = items.iter().map(|item| item.expect).collect();
        assert_eq!(
            expects,
            vec![
                Expect::CharBuffer,
                Expect::CharBuffer,
                Expect::FloatTarget(FloatTy::Double),
                Expect::IntTarget(Width::Int)
            ]
        );
        assert_eq!(scanf(b"%[abc").1, vec![(BadFormat::OpenSet, (0, 5))]);
    }
}
