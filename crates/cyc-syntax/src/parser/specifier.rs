//! Declaration specifiers and type specifiers (sections 2.2 and 2.3).

use super::declaration::Place;
use super::*;
use std::rc::Rc;

/// What stands before the declarators.
pub(super) struct Specs {
    pub decl: DeclSpecs,
    pub ty: Rc<Type>,
    /// The type is defined here (`struct S {…}`): a `;` is easily forgotten after it.
    pub defines: bool,
}

/// Where specifiers stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Declaration(Place),
    /// Parameters and components: no storage class but `register`.
    Parameter,
    /// spec-qual-list
    TypeName,
}

/// The arithmetic words of a type, as they come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Void,
    Bool,
    Char,
    Int,
    Float,
    Double,
    Int128,
    FloatN(FloatWidth),
}

#[derive(Default)]
struct Collected {
    decl: DeclSpecs,
    quals: Quals,
    word: Option<Word>,
    /// A type that is complete by itself.
    whole: Option<TypeKind>,
    defines: bool,
    short: bool,
    longs: u8,
    signed: Option<bool>,
    complex: bool,
    /// From the first to the last word of the type.
    type_span: Option<Span>,
}

impl Collected {
    fn has_type(&self) -> bool {
        self.type_span.is_some()
    }

    fn extend(&mut self, span: Span) {
        self.type_span = Some(self.type_span.map_or(span, |s| s.to(span)));
    }

    /// May the arithmetic word join what is there?
    fn admits(&self, kind: TokenKind) -> bool {
        use Word::*;
        let free = self.whole.is_none();
        free && match kind {
            KwShort => !self.short && self.longs == 0 && matches!(self.word, None | Some(Int)),
            KwLong => {
                !self.short && self.longs < 2 && matches!(self.word, None | Some(Int))
                    || self.longs == 0 && self.word == Some(Double)
            }
            KwSigned | KwUnsigned => {
                self.signed.is_none() && matches!(self.word, None | Some(Int | Char | Int128)) && !self.complex
            }
            KwComplex => !self.complex && matches!(self.word, None | Some(Float | Double | FloatN(_) | Int | Char)),
            KwInt => self.word.is_none(),
            KwChar | KwInt128 => self.word.is_none() && !self.short && self.longs == 0,
            KwDouble => self.word.is_none() && !self.short && self.longs < 2 && self.signed.is_none(),
            _ => self.word.is_none() && !self.short && self.longs == 0 && self.signed.is_none(),
        }
    }

    fn kind(&mut self) -> TypeKind {
        if let Some(whole) = self.whole.take() {
            return whole;
        }
        let width = match (self.short, self.longs) {
            (true, _) => IntWidth::Short,
            (_, 0) => IntWidth::Int,
            (_, 1) => IntWidth::Long,
            _ => IntWidth::LongLong,
        };
        let signed = Some(self.signed.unwrap_or(true));
        let complex = self.complex;
        match self.word {
            Some(Word::Void) => TypeKind::Void,
            Some(Word::Bool) => TypeKind::Bool,
            Some(Word::Char) => TypeKind::Int { width: IntWidth::Char, signed: self.signed },
            Some(Word::Int128) => TypeKind::Int { width: IntWidth::Int128, signed },
            Some(Word::Float) => TypeKind::Float { width: FloatWidth::Float, complex },
            Some(Word::Double) if self.longs > 0 => TypeKind::Float { width: FloatWidth::LongDouble, complex },
            Some(Word::Double) => TypeKind::Float { width: FloatWidth::Double, complex },
            Some(Word::FloatN(width)) => TypeKind::Float { width, complex },
            None if complex => TypeKind::Float { width: FloatWidth::Double, complex },
            Some(Word::Int) | None => TypeKind::Int { width, signed },
        }
    }
}

fn arithmetic_word(kind: TokenKind) -> Option<Word> {
    Some(match kind {
        KwVoid => Word::Void,
        KwBool => Word::Bool,
        KwChar => Word::Char,
        KwInt => Word::Int,
        KwFloat => Word::Float,
        KwDouble => Word::Double,
        KwInt128 => Word::Int128,
        KwFloat16 | KwFloat32 => Word::FloatN(FloatWidth::Float),
        KwFloat64 | KwFloat32x => Word::FloatN(FloatWidth::Double),
        KwFloat64x => Word::FloatN(FloatWidth::LongDouble),
        KwFloat128 => Word::FloatN(FloatWidth::Float128),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Does a type specifier or qualifier begin `ahead`?
    pub(super) fn starts_type(&self, mut ahead: usize) -> bool {
        // A tuple type is told from a tuple value by what its first component begins with.
        while self.nth(ahead) == Dollar && self.nth(ahead + 1) == LParen {
            ahead += 2;
        }
        match self.nth(ahead) {
            KwVoid | KwChar | KwShort | KwInt | KwLong | KwFloat | KwDouble | KwSigned | KwUnsigned | KwBool
            | KwComplex | KwInt128 | KwFloat16 | KwFloat32 | KwFloat64 | KwFloat128 | KwFloat32x | KwFloat64x
            | KwVaList | KwEnum | KwStruct | KwUnion | KwTypeof | KwConst | KwVolatile | KwRestrict | KwAtomic
            | KwDatatype | KwRegionT | KwAqualT | KwTagT | KwValueofT | AtTagged | AtExtensible | AtSubset
            | TypeVariable | Underscore => true,
            Identifier => self.at_typedef(ahead) || self.at_unknown_type(ahead) || self.at_cyclone_type_in_c(ahead),
            KwAttribute => true,
            KwExtension => {
                let next = (ahead..).find(|i| self.nth(*i) != KwExtension).unwrap_or(ahead);
                self.starts_type(next)
            }
            _ => false,
        }
    }

    /// A name that was reported as an unknown type before goes on being read as a type.
    fn at_unknown_type(&self, ahead: usize) -> bool {
        self.scopes.is_unknown_type(self.token_at(ahead).name)
    }

    /// In C code, Cyclone's type constructors are still understood where they have type arguments.
    fn at_cyclone_type_in_c(&self, ahead: usize) -> bool {
        self.c_mode
            && match self.token_at(ahead).kind {
                KwRegionT | KwAqualT | KwTagT => self.nth(ahead + 1) == Lt,
                KwDatatype => self.nth(ahead + 1) == Identifier,
                _ => false,
            }
    }

    pub(super) fn decl_specs(&mut self, place: Place) -> Parse<Specs> {
        self.specifiers(Context::Declaration(place))
    }

    pub(super) fn parameter_specs(&mut self) -> Parse<Specs> {
        self.specifiers(Context::Parameter)
    }

    pub(super) fn type_specs(&mut self) -> Parse<Specs> {
        self.specifiers(Context::TypeName)
    }

    /// decl-specs ::= decl-spec { decl-spec }
    /// decl-spec  ::= storage-class | type-specifier | type-qualifier | 'inline' | attributes | '__extension__'
    /// spec-qual-list ::= ( type-specifier | type-qualifier | attributes ) { … }
    fn specifiers(&mut self, context: Context) -> Parse<Specs> {
        let start = self.span();
        let first = self.pos;
        let mut all = Collected::default();
        while self.specifier(&mut all, context)? {}
        let span = if self.pos > first { self.since(start) } else { Span::new(start.lo, start.lo) };
        if !all.has_type() {
            self.omitted_type(&mut all, context, self.pos > first, span)?;
        }
        let kind = all.kind();
        all.decl.span = span;
        let attrs = if context == Context::TypeName { std::mem::take(&mut all.decl.attrs) } else { vec![] };
        let ty = Type { kind, quals: all.quals, attrs, span: all.type_span.unwrap_or(span) };
        Ok(Specs { decl: all.decl, ty: Rc::new(ty), defines: all.defines })
    }

    /// One specifier, if there is one.
    fn specifier(&mut self, all: &mut Collected, context: Context) -> Parse<bool> {
        let kind = self.kind();
        match kind {
            KwVoid | KwChar | KwShort | KwInt | KwLong | KwFloat | KwDouble | KwSigned | KwUnsigned | KwBool
            | KwComplex | KwInt128 | KwFloat16 | KwFloat32 | KwFloat64 | KwFloat128 | KwFloat32x | KwFloat64x => {
                return self.arithmetic(all, kind);
            }
            KwConst | KwVolatile | KwRestrict | KwAtomic => self.qualifier(all)?,
            KwAuto | KwRegister | KwStatic | KwExtern | KwTypedef | KwAbstract => {
                let allowed =
                    matches!(context, Context::Declaration(_)) || context == Context::Parameter && kind == KwRegister;
                if !allowed {
                    return Ok(false);
                }
                self.storage_class(all);
            }
            KwInline => {
                self.bump();
                all.decl.inline = true;
            }
            KwNoreturn => {
                self.bump();
                all.decl.noreturn = true;
            }
            KwThreadLocal => {
                self.bump();
                all.decl.thread_local = true;
            }
            KwExtension => {
                self.bump();
            }
            KwAttribute => all.decl.attrs.extend(self.attributes()?),
            KwAlignas => {
                let attr = self.alignas()?;
                all.decl.attrs.push(attr);
            }
            _ => return self.whole_type(all, context),
        }
        Ok(true)
    }

    fn arithmetic(&mut self, all: &mut Collected, kind: TokenKind) -> Parse<bool> {
        if !all.admits(kind) {
            if all.defines {
                return Ok(false);
            }
            // `typedef float _Float32;` where the compiler lacks the type that is a keyword here.
            let is_typedef = matches!(all.decl.storage, Some((Storage::Typedef, _)));
            if is_typedef && self.c_mode && matches!(arithmetic_word(kind), Some(Word::FloatN(_))) {
                self.bump();
                return Ok(true);
            }
            let at = self.span();
            let first = all.type_span.unwrap_or(at);
            return Err(self.report(errors::type_clash(kind.text(), at, first)));
        }
        all.extend(self.bump().span);
        match kind {
            KwShort => all.short = true,
            KwLong => all.longs += 1,
            KwSigned => all.signed = Some(true),
            KwUnsigned => all.signed = Some(false),
            KwComplex => all.complex = true,
            _ => all.word = arithmetic_word(kind),
        }
        Ok(true)
    }

    /// type-qualifier ::= 'const' | 'volatile' | 'restrict' | '_Atomic'; `_Atomic(T)` is a type.
    fn qualifier(&mut self, all: &mut Collected) -> Parse<()> {
        if self.at(KwAtomic) && self.nth(1) == LParen {
            let start = self.bump().span;
            let open = self.bump().span;
            let ty = self.type_name()?;
            self.close(RParen, open)?;
            all.quals.is_atomic = true;
            all.whole = Some(TypeKind::TypeofType(ty));
            all.extend(self.since(start));
            return Ok(());
        }
        self.qualifier_word(&mut all.quals);
        Ok(())
    }

    /// Notes a qualifier if one stands here.
    pub(super) fn qualifier_word(&mut self, quals: &mut Quals) -> bool {
        match self.kind() {
            KwConst => quals.is_const = true,
            KwVolatile => quals.is_volatile = true,
            KwRestrict => quals.is_restrict = true,
            KwAtomic => quals.is_atomic = true,
            _ => return false,
        }
        self.bump();
        true
    }

    /// storage-class ::= 'auto' | 'register' | 'static' | 'extern' | 'extern' '"C"' | 'typedef' | 'abstract'
    fn storage_class(&mut self, all: &mut Collected) {
        let token = self.bump();
        let storage = match token.kind {
            KwAuto => Storage::Auto,
            KwRegister => Storage::Register,
            KwStatic => Storage::Static,
            KwTypedef => Storage::Typedef,
            KwAbstract => Storage::Abstract,
            _ if self.at(StrLit) && self.slice(self.span()) == "\"C\"" => {
                self.bump();
                Storage::ExternC
            }
            _ => Storage::Extern,
        };
        let span = self.since(token.span);
        match all.decl.storage {
            // `extern typedef` and the like occur in no C; the first one counts.
            Some((_, first)) => self.complain(errors::second_storage(span, first)),
            None => all.decl.storage = Some((storage, span)),
        }
    }

    /// The type specifiers that are complete by themselves.
    fn whole_type(&mut self, all: &mut Collected, context: Context) -> Parse<bool> {
        let kind = match self.kind() {
            Identifier if all.has_type() => return Ok(false),
            Identifier => match self.named_type(context, all)? {
                Some(kind) => kind,
                None => return Ok(false),
            },
            TypeVariable | Underscore | Dollar | KwVaList | KwEnum | KwStruct | KwUnion | KwDatatype | KwTypeof
            | KwRegionT | KwAqualT | KwTagT | KwValueofT | AtTagged | AtExtensible | AtSubset => {
                if all.has_type() {
                    return self.second_type(all);
                }
                let start = self.span();
                let kind = self.type_constructor()?;
                all.extend(self.since(start));
                kind
            }
            _ => return Ok(false),
        };
        all.defines = matches!(kind, TypeKind::AggrDef(_) | TypeKind::EnumDef(_) | TypeKind::DatatypeDef(_));
        all.whole = Some(kind);
        Ok(true)
    }

    /// A second type where one is complete: after a definition, a `;` is missing.
    fn second_type(&mut self, all: &Collected) -> Parse<bool> {
        if all.defines || matches!(self.kind(), Dollar | TypeVariable | Underscore) {
            return Ok(false);
        }
        let at = self.span();
        let second = self.slice(at).to_string();
        Err(self.report(errors::type_clash(&second, at, all.type_span.unwrap_or(at))))
    }

    /// typedef-name [ type-args ]; also an unknown name in the place of a type.
    fn named_type(&mut self, context: Context, all: &mut Collected) -> Parse<Option<TypeKind>> {
        let start = self.span();
        if self.at_cyclone_type_in_c(0) {
            let outer = std::mem::replace(&mut self.c_mode, false);
            let kind = self.type_constructor();
            self.c_mode = outer;
            all.extend(self.since(start));
            return kind.map(Some);
        }
        if !self.at_typedef(0) {
            if matches!(self.slice(start), "tunion" | "xtunion") && self.nth(1) == Identifier && !self.c_mode {
                let kind = self.datatype_spec()?;
                all.extend(self.since(start));
                return Ok(Some(kind));
            }
            if !self.reads_as_unknown_type(context) {
                return Ok(None);
            }
            self.unknown_type();
        }
        let name = self.name("type name")?;
        let args = if self.at(Lt) { self.type_args()? } else { vec![] };
        all.extend(self.since(start));
        Ok(Some(TypeKind::Typedef { name, args }))
    }

    /// Is the identifier here, which is no typedef name, meant as one?
    fn reads_as_unknown_type(&self, context: Context) -> bool {
        if self.at_unknown_type(0) {
            return true;
        }
        let length = self.name_length(0);
        let next = self.nth(length);
        if next == Lt && self.nth(length + 1) == TypeVariable {
            return true;
        }
        match context {
            Context::Declaration(Place::Top) => {
                matches!(next, Identifier | Star | At | Question | TypeVariable)
                    || next.is_keyword() && !self.first_on_line_at(1)
            }
            Context::Declaration(_) => next == Identifier,
            Context::Parameter | Context::TypeName => true,
        }
    }

    fn first_on_line_at(&self, ahead: usize) -> bool {
        let (a, b) = (self.token_at(ahead - 1).span.hi, self.token_at(ahead).span.lo);
        self.text[a as usize..b.max(a) as usize].contains('\n')
    }

    /// Reports the name here as an unknown type, once for each name.
    fn unknown_type(&mut self) {
        let length = self.name_length(0);
        let last = self.token_at(length - 1);
        if !self.scopes.note_unknown_type(last.name) {
            return;
        }
        let span = self.span().to(last.span);
        let text = self.slice(span).to_string();
        let like = if length == 1 { self.similar_word(&text) } else { None };
        self.report(errors::unknown_type(&text, span, like));
    }

    /// A keyword or type of nearly the same name.
    fn similar_word(&self, text: &str) -> Option<&'static str> {
        if text.len() < 3 {
            return None;
        }
        let keywords = crate::token::KEYWORDS.iter().map(|(word, _)| *word).filter(|word| !word.starts_with('_'));
        let types = (0..self.names.len()).filter(|name| self.scopes.is_typedef(*name as u32));
        keywords.chain(types.map(|name| self.names[name].as_str())).find(|word| recover::similar(word, text))
    }

    /// At file level, is the name here the beginning of a statement (`x++;`, `f(1);`)?
    fn statement_at_top(&self) -> bool {
        let after = self.name_length(0);
        match self.nth(after) {
            Assign | Semi | Comma | LBracket | KwAsm | KwAttribute => false,
            LParen => matches!(
                self.nth(after + 1),
                IntLit | FloatLit | CharLit | StrLit | WideStrLit | Amp | Bang | Minus | KwSizeof | LParen
            ),
            _ => true,
        }
    }

    /// No type at all: `int` is assumed where C assumed it.
    fn omitted_type(&mut self, all: &mut Collected, context: Context, some: bool, span: Span) -> Parse<()> {
        let starts_declarator = matches!(self.kind(), Identifier | Star | At | LParen) || some && self.at(Semi);
        let implicit = match context {
            Context::Declaration(Place::Top) => some || self.at(Identifier),
            _ => some,
        };
        if context == Context::Declaration(Place::Top) && !some && self.at(Identifier) && self.statement_at_top() {
            let found = self.found();
            let at = self.span();
            return Err(self.report(errors::statement_at_top(&found, at)));
        }
        if !implicit || !starts_declarator && context != Context::TypeName {
            let what = match context {
                Context::Declaration(Place::Top) if !some => "declaration",
                _ => "type",
            };
            return Err(self.expected(what));
        }
        // `__attribute__((…));` and the like declare nothing.
        if !self.at(Semi) {
            let at = if some { span.end() } else { span };
            self.complain(errors::missing_type(at));
        }
        all.word = Some(Word::Int);
        all.type_span = Some(span);
        Ok(())
    }
}
