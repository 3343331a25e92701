//! Types of generated programs.

/// A type; everything but tuples, arrays and functions has kind B.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Unsigned,
    Long,
    Colour,
    Text,
    /// A type variable of the function, by number.
    Var(usize),
    Pair(Box<Type>, Box<Type>),
    List(Box<Type>),
    /// A tuple, by value.
    Tuple(Box<Type>, Box<Type>),
    /// A fat pointer to three elements.
    Array(Box<Type>),
    Function(Box<Type>, Box<Type>),
}

impl Type {
    pub fn is_boxed(&self) -> bool {
        !matches!(self, Type::Tuple(..) | Type::Array(_) | Type::Function(..))
    }

    /// Are there literals of the type?
    pub fn is_constant(&self) -> bool {
        matches!(self, Type::Int | Type::Unsigned | Type::Long | Type::Colour | Type::Text)
    }

    /// The type with variables replaced.
    pub fn at(&self, args: &[Type]) -> Type {
        let both = |a: &Type, b: &Type| (Box::new(a.at(args)), Box::new(b.at(args)));
        match self {
            Type::Var(index) => args[*index].clone(),
            Type::Pair(a, b) => {
                let (a, b) = both(a, b);
                Type::Pair(a, b)
            }
            Type::Tuple(a, b) => {
                let (a, b) = both(a, b);
                Type::Tuple(a, b)
            }
            Type::Function(a, b) => {
                let (a, b) = both(a, b);
                Type::Function(a, b)
            }
            Type::List(elem) => Type::List(elem.at(args).into()),
            Type::Array(elem) => Type::Array(elem.at(args).into()),
            plain => plain.clone(),
        }
    }

    /// Is `other` this type at some arguments? Notes the arguments.
    pub fn matches(&self, other: &Type, args: &mut [Option<Type>]) -> bool {
        match (self, other) {
            (Type::Var(index), _) => match &args[*index] {
                Some(known) => known == other,
                None if other.is_boxed() => {
                    args[*index] = Some(other.clone());
                    true
                }
                None => false,
            },
            (Type::Pair(a, b), Type::Pair(c, d)) | (Type::Tuple(a, b), Type::Tuple(c, d)) => {
                a.matches(c, args) && b.matches(d, args)
            }
            (Type::List(a), Type::List(b)) | (Type::Array(a), Type::Array(b)) => a.matches(b, args),
            (a, b) => a == b,
        }
    }

    /// As Cyclone writes it; all pointers are to the heap.
    pub fn text(&self) -> String {
        match self {
            Type::Int => "int".into(),
            Type::Unsigned => "unsigned".into(),
            Type::Long => "long".into(),
            Type::Colour => "enum Colour".into(),
            Type::Text => "text_t".into(),
            Type::Var(index) => format!("`{}", ["a", "b", "c"][*index]),
            Type::Pair(a, b) => format!("pair_t<{},{}>", a.text(), b.text()),
            Type::List(elem) => format!("list_t<{}>", elem.text()),
            Type::Tuple(a, b) => format!("$({}, {})", a.text(), b.text()),
            Type::Array(elem) => format!("{} ?`H", elem.text()),
            Type::Function(from, to) => format!("{} (@`H)({})", to.text(), from.text()),
        }
    }

    /// A declaration of `name`.
    pub fn declare(&self, name: &str) -> String {
        match self {
            Type::Function(from, to) => format!("{} (@`H {name})({})", to.text(), from.text()),
            plain => format!("{} {name}", plain.text()),
        }
    }

    /// The type as a part of a name.
    pub fn word(&self) -> String {
        let text = self.text();
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect::<String>()
            + &format!("_{}", text.len())
    }
}
