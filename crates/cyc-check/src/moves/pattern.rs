//! Patterns (memory, section 4.12): a variable takes what it matches.

use super::path::{NotUnique, Step};
use crate::cx::Checker;
use crate::errors;
use crate::tast::*;
use cyc_types::TyKind;

/// Where a component lies: nothing yet speaks against moving it, or this step does.
type Path = Option<std::rc::Rc<NotUnique>>;

/// What is known of the place of a component.
#[derive(Clone)]
struct At {
    path: Path,
    /// It is reached through a pointer that must not be copied.
    behind: bool,
    /// Why nothing can be borrowed from there.
    no_alias: Option<NoAlias>,
}

/// Where an `alias` pattern has no place that the pointer could be given back to (memory, section 5.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAlias {
    /// What is matched is a value of its own.
    Value,
    Exception,
    /// A component of a datatype.
    Datatype,
}

impl Checker<'_> {
    /// Reports the variables of a pattern that take what cannot be moved. `on`: what is matched; None for an exception.
    pub(super) fn pattern_moves(&mut self, pattern: &Pattern, on: Option<&Expr>) {
        let at = match on.map(|e| &e.kind) {
            Some(ExprKind::Read(place)) => At {
                path: self.unique_path(place).err().map(std::rc::Rc::new),
                behind: self.behind_restricted(place),
                no_alias: None,
            },
            Some(_) => At { path: None, behind: false, no_alias: Some(NoAlias::Value) },
            None => At { path: None, behind: false, no_alias: Some(NoAlias::Exception) },
        };
        self.component_moves(pattern, &at);
    }

    fn component_moves(&mut self, pattern: &Pattern, at: &At) {
        match &pattern.kind {
            PatternKind::Bind(_) | PatternKind::As(..) | PatternKind::Alias(_) => {
                self.variable_moves(pattern, at);
                if let PatternKind::As(_, inner) = &pattern.kind {
                    self.component_moves(inner, at);
                }
            }
            PatternKind::Ref(_, inner) => {
                if self.carries_restricted(pattern.ty) {
                    let shown = self.show(pattern.ty);
                    self.report(errors::moves::address_of_restricted(pattern.span, &shown));
                } else if at.behind {
                    self.report(errors::moves::reference_behind_restricted(pattern.span));
                }
                self.component_moves(inner, at);
            }
            PatternKind::Pointer(inner) => {
                let unique = self.unit.types.is_unique_pointer(self.resolve(pattern.ty), &self.func.params);
                let path = match (&at.path, unique) {
                    (None, true) => None,
                    (None, false) => {
                        let why = Step::Pointer(self.show(pattern.ty));
                        Some(std::rc::Rc::new(NotUnique { span: pattern.span, why }))
                    }
                    (path, _) => path.clone(),
                };
                self.component_moves(inner, &At { path, behind: self.is_restricted(pattern.ty), ..*at });
            }
            PatternKind::Member(_, _, part) => self.component_moves(part, at),
            PatternKind::Tuple(parts) => parts.iter().for_each(|part| self.component_moves(part, at)),
            PatternKind::Variant { args, .. } => {
                let no_alias = at.no_alias.or(Some(NoAlias::Datatype));
                args.iter().for_each(|part| self.component_moves(part, &At { no_alias, ..at.clone() }));
            }
            PatternKind::Struct(_, parts) => parts.iter().for_each(|(_, part)| self.component_moves(part, at)),
            PatternKind::Wild
            | PatternKind::Int(_)
            | PatternKind::Tag(_)
            | PatternKind::Float(_)
            | PatternKind::Null => {}
        }
    }

    /// A variable takes, or borrows, the component.
    fn variable_moves(&mut self, pattern: &Pattern, at: &At) {
        let alias = matches!(pattern.kind, PatternKind::Alias(_));
        if let (true, Some(why)) = (alias, at.no_alias) {
            self.report(errors::moves::alias_without_place(pattern.span, why));
        } else if let (true, Some(step)) = (self.carries_restricted(pattern.ty), &at.path) {
            let shown = self.show(pattern.ty);
            self.report(errors::moves::not_unique(pattern.span, &shown, step));
        }
        if at.behind && matches!(self.kind_of(pattern.ty), TyKind::Array { .. }) {
            let shown = self.show(pattern.ty);
            self.report(errors::moves::array_behind_restricted(pattern.span, &shown));
        }
    }

    fn behind_restricted(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) | PlaceKind::Element(inner, _) => {
                self.behind_restricted(inner)
            }
            PlaceKind::Deref(pointer) | PlaceKind::Index(pointer, _) => self.is_restricted(pointer.ty),
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Temp(_) => false,
        }
    }
}
