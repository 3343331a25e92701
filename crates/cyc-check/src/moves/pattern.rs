//! Patterns (memory, section 4.12): a variable takes what it matches.

use super::path::{NotUnique, Step};
use crate::cx::Checker;
use crate::errors;
use crate::tast::*;
use cyc_types::TyKind;

/// Where a component lies: nothing yet speaks against moving it, or this step does.
type Path = Option<std::rc::Rc<NotUnique>>;

impl Checker<'_> {
    /// Reports the variables of a pattern that take what cannot be moved. `on`: what is matched; None for an exception.
    pub(super) fn pattern_moves(&mut self, pattern: &Pattern, on: Option<&Expr>) {
        let path = match on.map(|e| &e.kind) {
            Some(ExprKind::Read(place)) => self.unique_path(place).err().map(std::rc::Rc::new),
            _ => None,
        };
        let behind = match on.map(|e| &e.kind) {
            Some(ExprKind::Read(place)) => self.behind_restricted(place),
            _ => false,
        };
        self.component_moves(pattern, &path, behind);
    }

    /// `behind`: the component is reached through a pointer that must not be copied.
    fn component_moves(&mut self, pattern: &Pattern, path: &Path, behind: bool) {
        match &pattern.kind {
            PatternKind::Bind(_) | PatternKind::As(..) | PatternKind::Alias(_) => {
                let array = matches!(self.kind_of(pattern.ty), TyKind::Array { .. });
                let alias = matches!(pattern.kind, PatternKind::Alias(_));
                if let (true, Some(at)) = (self.carries_restricted(pattern.ty) || alias, path)
                    && self.carries_restricted(pattern.ty)
                {
                    let shown = self.show(pattern.ty);
                    let diagnostic = errors::moves::not_unique(pattern.span, &shown, at);
                    self.report(diagnostic);
                }
                if array && behind {
                    let shown = self.show(pattern.ty);
                    self.report(errors::moves::array_behind_restricted(pattern.span, &shown));
                }
                if let PatternKind::As(_, inner) = &pattern.kind {
                    self.component_moves(inner, path, behind);
                }
            }
            PatternKind::Ref(_, inner) => {
                if self.carries_restricted(pattern.ty) {
                    let shown = self.show(pattern.ty);
                    self.report(errors::moves::address_of_restricted(pattern.span, &shown));
                } else if behind {
                    self.report(errors::moves::reference_behind_restricted(pattern.span));
                }
                self.component_moves(inner, path, behind);
            }
            PatternKind::Pointer(inner) => {
                let unique = self.unit.types.is_unique_pointer(self.resolve(pattern.ty), &self.func.params);
                let path = match (path, unique) {
                    (None, true) => None,
                    (None, false) => {
                        let why = Step::Pointer(self.show(pattern.ty));
                        Some(std::rc::Rc::new(NotUnique { span: pattern.span, why }))
                    }
                    (path, _) => path.clone(),
                };
                let behind = self.is_restricted(pattern.ty);
                self.component_moves(inner, &path, behind);
            }
            PatternKind::Member(_, _, part) => self.component_moves(part, path, behind),
            PatternKind::Tuple(parts) | PatternKind::Variant { args: parts, .. } => {
                parts.iter().for_each(|part| self.component_moves(part, path, behind));
            }
            PatternKind::Struct(_, parts) => {
                parts.iter().for_each(|(_, part)| self.component_moves(part, path, behind));
            }
            PatternKind::Wild
            | PatternKind::Int(_)
            | PatternKind::Tag(_)
            | PatternKind::Float(_)
            | PatternKind::Null => {}
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
