//! Declarators, named and abstract, turned inside out while they are read (section 2.4).
//!
//! A declarator is collected as a list of type constructors in the order in which they apply to
//! the base type: its pointers from left to right, its suffixes from right to left, then whatever
//! stood in parentheses.

use super::pointer::PointerHead;
use super::*;
use std::rc::Rc;

/// Must the declarator have a name?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Named,
    /// Parameters: with or without.
    Either,
    Abstract,
}

/// A complete declarator.
pub(super) struct Declared {
    pub name: Option<Name>,
    /// The number of the declared name.
    pub id: u32,
    pub ty: Rc<Type>,
    /// Binders behind the name that no parameter list follows: a typedef's.
    pub binders: Option<Vec<TypeVar>>,
    pub attrs: Vec<Attr>,
    /// A K&R identifier list in place of parameters, and its span.
    pub names_only: Option<(Vec<Ident>, Span)>,
}

enum Constructor {
    Pointer(PointerHead),
    Array { len: Option<Box<Expr>>, zeroterm: Option<bool>, span: Span },
    Function(FnType),
}

#[derive(Default)]
struct Parts {
    constructors: Vec<Constructor>,
    name: Option<(Name, u32)>,
    binders: Option<Vec<TypeVar>>,
    attrs: Vec<Attr>,
    names_only: Option<(Vec<Ident>, Span)>,
}

impl Parser<'_> {
    /// declarator ::= { pointer } direct-declarator
    pub(super) fn declarator(&mut self, base: &Rc<Type>, rule: Rule) -> Parse<Declared> {
        let parts = self.nest(|p| p.declarator_parts(rule))?;
        let mut ty = base.clone();
        for constructor in parts.constructors {
            ty = self.construct(ty, constructor);
        }
        let (name, id) = parts.name.map_or((None, 0), |(name, id)| (Some(name), id));
        Ok(Declared { name, id, ty, binders: parts.binders, attrs: parts.attrs, names_only: parts.names_only })
    }

    fn construct(&mut self, inner: Rc<Type>, constructor: Constructor) -> Rc<Type> {
        let mut quals = Quals::default();
        let whole = |span: Span| inner.span.to(span);
        let (kind, span) = match constructor {
            Constructor::Pointer(p) => {
                quals = p.quals;
                let span = whole(p.span);
                let PointerHead { head, fat, nullable, bound, zeroterm, region, aqual, autoreleased, attrs, .. } = p;
                let to = inner.clone();
                let pointer = Pointer {
                    to,
                    head,
                    fat,
                    nullable,
                    bound,
                    zeroterm,
                    region,
                    aqual,
                    autoreleased,
                    attrs,
                    span: p.span,
                };
                (TypeKind::Pointer(Box::new(pointer)), span)
            }
            Constructor::Array { len, zeroterm, span } => {
                (TypeKind::Array { elem: inner.clone(), len, zeroterm }, whole(span))
            }
            Constructor::Function(mut function) => {
                let span = whole(function.span);
                function.ret = inner.clone();
                (TypeKind::Function(Box::new(function)), span)
            }
        };
        Rc::new(Type { kind, quals, attrs: vec![], span })
    }

    fn declarator_parts(&mut self, rule: Rule) -> Parse<Parts> {
        let mut parts = Parts::default();
        while let Some(pointer) = self.pointer()? {
            parts.constructors.push(Constructor::Pointer(pointer));
            self.taller()?;
        }
        let mut inner = vec![];
        match self.kind() {
            Identifier if rule != Rule::Abstract => {
                let name = self.name("identifier")?;
                parts.name = Some((name, self.tokens[self.pos - 1].name));
            }
            LParen if self.opens_declarator(rule) => {
                let open = self.bump().span;
                let attrs = self.attributes()?;
                let nested = self.nest(|p| p.declarator_parts(rule))?;
                self.close(RParen, open)?;
                inner = nested.constructors;
                parts = Parts { constructors: parts.constructors, ..nested };
                parts.attrs.extend(attrs);
            }
            _ if rule == Rule::Named => return Err(self.expected_name("identifier")),
            kind if rule == Rule::Either && kind.is_keyword() && kind != KwAttribute => {
                return Err(self.expected_name("identifier"));
            }
            _ => {}
        }
        // Binders within `(@name<…>)` are those of the name, not of the function type around it.
        let own_binders = parts.binders.take_if(|_| !inner.is_empty());
        // Only a function declared directly can be defined with K&R parameters.
        let names_only = parts.names_only.take().filter(|_| inner.is_empty() || !self.at_suffix());
        let suffixes = self.suffixes(&mut parts)?;
        parts.binders = parts.binders.take().or(own_binders);
        parts.names_only = parts.names_only.take().or(names_only);
        parts.constructors.extend(suffixes.into_iter().rev());
        parts.constructors.extend(inner);
        Ok(parts)
    }

    fn at_suffix(&self) -> bool {
        matches!(self.kind(), LParen | LBracket)
    }

    /// Does the parenthesis here enclose a declarator (rather than parameters)?
    fn opens_declarator(&self, rule: Rule) -> bool {
        match self.nth(1) {
            _ if rule == Rule::Named => true,
            Star | At | Question | LParen | LBracket => true,
            KwAttribute => true,
            Identifier => rule == Rule::Either && !self.starts_type(1),
            _ => false,
        }
    }

    /// The suffixes of a direct declarator: arrays, parameter lists, binders, attributes.
    fn suffixes(&mut self, parts: &mut Parts) -> Parse<Vec<Constructor>> {
        let mut suffixes = vec![];
        loop {
            match self.kind() {
                LBracket => suffixes.push(self.array_suffix()?),
                LParen => {
                    let binders = parts.binders.take();
                    let (function, names_only) = self.function_suffix(binders)?;
                    suffixes.push(Constructor::Function(function));
                    if suffixes.len() == 1 {
                        parts.names_only = names_only;
                    }
                }
                Lt => parts.binders = Some(self.binders()?),
                KwAttribute => {
                    let attrs = self.attributes()?;
                    match suffixes.last_mut() {
                        Some(Constructor::Function(function)) => function.attrs.extend(attrs),
                        _ => parts.attrs.extend(attrs),
                    }
                }
                _ => return Ok(suffixes),
            }
            self.taller()?;
        }
    }

    /// '[' [ assignment-expression ] ']' [ '@zeroterm' | '@nozeroterm' ]; in C also `[static n]`, `[*]`, `[restrict]`.
    fn array_suffix(&mut self) -> Parse<Constructor> {
        let open = self.bump().span;
        let extras = self.span();
        let mut quals = Quals::default();
        while self.eat(KwStatic) || self.qualifier_word(&mut quals) {}
        if self.prev_span().hi > open.hi && !self.c_mode {
            let extras = self.since(extras);
            self.complain(errors::static_bound(extras));
        }
        let len = match self.kind() {
            RBracket => None,
            Star if self.nth(1) == RBracket && self.c_mode => {
                self.bump();
                None
            }
            _ => Some(Box::new(self.assignment()?)),
        };
        self.close(RBracket, open)?;
        let zeroterm = match self.kind() {
            AtZeroterm => Some(true),
            AtNozeroterm => Some(false),
            _ => None,
        };
        if zeroterm.is_some() {
            self.bump();
        }
        Ok(Constructor::Array { len, zeroterm, span: self.since(open) })
    }
}
