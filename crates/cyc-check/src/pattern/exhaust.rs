//! Exhaustiveness and redundancy (core, section 7.5), by the usefulness algorithm of Maranget,
//! "Warnings for pattern matching", 2007: a row of patterns is useful after other rows if some
//! value matches it and none of them; a set is exhaustive if a row of wildcards is not useful after it.

use crate::coerce::Num;
use crate::cx::Checker;
use crate::tast::{Clause, LocalId, Pattern, PatternKind};
use cyc_base::Symbol;
use cyc_types::{AggrId, Bound, DatatypeId, FloatTy, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// What [`missing`] answers when every listed constant of an enumeration is covered, so that only
/// values outside its list are not.
pub const OTHER_ENUMERATOR: &str = "a value that the enumeration does not list";

/// What [`missing`] answers when it would take too long to find out (the question is NP-complete): the program gets a
/// default that raises `Match_Exception`.
pub const UNDECIDED: &str = "some value, perhaps";

/// Steps before a question is given up; a switch that people write needs some thousands.
const FUEL: u32 = 1 << 22;

/// The outermost shape of a value. Structs and datatypes stand for all of their instances: a pattern names what its own
/// clause unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Shape {
    Int(i128),
    /// By value, where the precision is known; else by text.
    Float(u64),
    FloatText(Symbol),
    Null,
    Pointer,
    Tuple,
    Struct(AggrId),
    Member(AggrId, u32),
    Variant(DatatypeId, u32),
}

/// A pattern, or a wildcard that nobody wrote.
type Part<'p> = Option<&'p Pattern>;

/// A value not matched by any of the patterns, as the pattern it would need; None if all values are matched.
pub fn missing(cx: &Checker, ty: Ty, rows: &[&Pattern]) -> Option<String> {
    let rows: Vec<Vec<Part>> = rows.iter().map(|p| vec![Some(*p)]).collect();
    let open = Search::new(cx, false);
    let found = open.useful(&rows, &[None], &[ty])?;
    if open.fuel.get() == 0 {
        return Some(UNDECIDED.into());
    }
    match Search::new(cx, true).useful(&rows, &[None], &[ty]) {
        Some(witness) => witness.into_iter().next(),
        None if found.is_empty() => None,
        None => Some(OTHER_ENUMERATOR.into()),
    }
}

/// The clauses that match nothing which clauses before them leave: with, where one clause alone
/// covers it, that clause. A guarded clause covers nothing.
pub fn redundant(cx: &Checker, ty: Ty, clauses: &[Clause]) -> Vec<(usize, Option<usize>)> {
    let search = Search::new(cx, false);
    let mut out = vec![];
    let mut rows: Vec<Vec<Part>> = vec![];
    // Constants are looked up; the general search is for the rest.
    let mut constants: FxHashMap<i128, usize> = FxHashMap::default();
    let mut all: Option<usize> = None;
    for (i, clause) in clauses.iter().enumerate() {
        let row = vec![Some(&clause.pattern)];
        let before = match &clause.pattern.kind {
            PatternKind::Int(value) => all.or(constants.get(value).copied()).map(Some),
            _ if all.is_some() => Some(all),
            _ => {
                let alone = || (0..rows.len()).find(|r| search.useful(&rows[*r..=*r], &row, &[ty]).is_none());
                search.useful(&rows, &row, &[ty]).is_none().then(alone)
            }
        };
        if let Some(before) = before {
            out.push((i, before));
        }
        if clause.guard.is_none() {
            match &clause.pattern.kind {
                PatternKind::Int(value) => {
                    constants.entry(*value).or_insert(i);
                }
                PatternKind::Wild | PatternKind::Bind(_) => {
                    all.get_or_insert(i);
                }
                _ => {}
            }
            rows.push(row);
        } else {
            // Keeps the numbers of rows and clauses equal; an impossible row covers nothing.
            rows.push(vec![]);
        }
    }
    out
}

/// The variables of a pattern, left to right.
pub fn variables(pattern: &Pattern) -> Vec<LocalId> {
    let mut out = vec![];
    collect(pattern, &mut out);
    out
}

fn collect(pattern: &Pattern, out: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Bind(local) | PatternKind::Alias(local) => out.push(*local),
        PatternKind::Tag(local) => out.push(*local),
        PatternKind::As(local, inner) | PatternKind::Ref(local, inner) => {
            out.push(*local);
            collect(inner, out);
        }
        PatternKind::Pointer(inner) | PatternKind::Member(_, _, inner) => collect(inner, out),
        PatternKind::Tuple(parts) | PatternKind::Variant { args: parts, .. } => {
            parts.iter().for_each(|p| collect(p, out))
        }
        PatternKind::Struct(_, parts) => parts.iter().for_each(|(_, p)| collect(p, out)),
        PatternKind::Wild | PatternKind::Int(_) | PatternKind::Float(_) | PatternKind::Null => {}
    }
}

impl Checker<'_> {
    /// Is a constant of the type what `f64` reads? (Of `float` constants equal ones may look different; that is
    /// only a redundancy not seen.)
    fn is_narrow_float(&self, ty: Ty) -> bool {
        matches!(self.kind_of(ty), TyKind::Float(FloatTy::Float | FloatTy::Double))
    }
}

/// The shape that a pattern demands; None for wildcards and variables.
fn shape<'p>(cx: &Checker, cell: Part<'p>) -> Option<(Shape, &'p Pattern)> {
    let pattern = cell?;
    Some((
        match &pattern.kind {
            PatternKind::As(_, inner) | PatternKind::Ref(_, inner) => return shape(cx, Some(inner)),
            PatternKind::Wild | PatternKind::Bind(_) | PatternKind::Alias(_) | PatternKind::Tag(_) => return None,
            PatternKind::Int(value) => Shape::Int(*value),
            PatternKind::Float(text) => match text.as_str().parse::<f64>() {
                // Both zeros are equal.
                Ok(value) if cx.is_narrow_float(pattern.ty) => Shape::Float((value + 0.0).to_bits()),
                _ => Shape::FloatText(*text),
            },
            PatternKind::Null => Shape::Null,
            PatternKind::Pointer(_) => Shape::Pointer,
            PatternKind::Tuple(_) => Shape::Tuple,
            PatternKind::Struct(id, _) => Shape::Struct(cx.unit.types.own_aggr(*id)),
            PatternKind::Member(id, member, _) => Shape::Member(cx.unit.types.own_aggr(*id), *member),
            PatternKind::Variant { datatype, variant, .. } => {
                Shape::Variant(cx.unit.types.own_datatype(*datatype), *variant)
            }
        },
        pattern,
    ))
}

/// The parts of a pattern of known shape, `width` of them.
fn parts(pattern: &Pattern, width: usize) -> Vec<Part<'_>> {
    match &pattern.kind {
        PatternKind::Pointer(inner) | PatternKind::Member(_, _, inner) => vec![Some(inner)],
        PatternKind::Tuple(parts) | PatternKind::Variant { args: parts, .. } => parts.iter().map(Some).collect(),
        PatternKind::Struct(_, parts) => {
            let mut out = vec![None; width];
            for (i, part) in parts {
                out[*i as usize] = Some(part);
            }
            out
        }
        _ => vec![],
    }
}

struct Search<'c, 'a> {
    cx: &'c Checker<'a>,
    /// Are enumerations taken to hold only their listed values?
    closed_enums: bool,
    fuel: Cell<u32>,
}

impl<'c, 'a> Search<'c, 'a> {
    fn new(cx: &'c Checker<'a>, closed_enums: bool) -> Self {
        Search { cx, closed_enums, fuel: Cell::new(FUEL) }
    }

    /// Values, one a column, that match `row` and none of `rows`, as patterns; None if there are none.
    /// Rows of no cells stand for guarded clauses and match nothing.
    fn useful(&self, rows: &[Vec<Part>], row: &[Part], types: &[Ty]) -> Option<Vec<String>> {
        let Some((first, rest)) = types.split_first() else {
            return rows.is_empty().then(Vec::new);
        };
        // Out of fuel: as if it were useful.
        match self.fuel.get().checked_sub(1 + rows.len() as u32) {
            Some(left) => self.fuel.set(left),
            None => {
                self.fuel.set(0);
                return Some(vec!["_".into(); types.len()]);
            }
        }
        if let Some((head, pattern)) = shape(self.cx, row[0]) {
            return self.with_shape(rows, Some(pattern), row, head, *first, rest);
        }
        let used: Vec<Shape> =
            rows.iter().filter(|r| !r.is_empty()).filter_map(|r| Some(shape(self.cx, r[0])?.0)).collect();
        if let Some(all) = self.all_shapes(*first, &used) {
            return all.into_iter().find_map(|head| self.with_shape(rows, None, row, head, *first, rest));
        }
        // Some shape occurs in no row: only rows with a wildcard can match it.
        let left: Vec<Vec<Part>> =
            rows.iter().filter(|r| !r.is_empty() && shape(self.cx, r[0]).is_none()).map(|r| r[1..].to_vec()).collect();
        let mut witness = self.useful(&left, &row[1..], rest)?;
        witness.insert(0, self.unused(*first, &used));
        Some(witness)
    }

    /// [`Search::useful`] among values of one shape in the first column.
    fn with_shape(
        &self,
        rows: &[Vec<Part>],
        pattern: Part,
        row: &[Part],
        head: Shape,
        ty: Ty,
        rest: &[Ty],
    ) -> Option<Vec<String>> {
        let inner = self.part_types(head, ty);
        let width = inner.len();
        let narrowed: Vec<Vec<Part>> = rows
            .iter()
            .filter(|r| !r.is_empty())
            .filter_map(|r| {
                let mut cells = match shape(self.cx, r[0]) {
                    None => vec![None; width],
                    Some((s, p)) if s == head => parts(p, width),
                    Some(_) => return None,
                };
                cells.extend(&r[1..]);
                Some(cells)
            })
            .collect();
        let mut cells = match pattern {
            Some(p) => parts(p, width),
            None => vec![None; width],
        };
        cells.extend(&row[1..]);
        let types: Vec<Ty> = inner.iter().chain(rest).copied().collect();
        let mut witness = self.useful_rows(&narrowed, &cells, &types)?;
        let tail = witness.split_off(width);
        let mut out = vec![self.show(head, &witness)];
        out.extend(tail);
        Some(out)
    }

    /// As [`Search::useful`]; with no columns left, any row matches everything.
    fn useful_rows(&self, rows: &[Vec<Part>], row: &[Part], types: &[Ty]) -> Option<Vec<String>> {
        match types.is_empty() {
            true => rows.is_empty().then(Vec::new),
            false => self.useful(rows, row, types),
        }
    }

    /// All shapes of a type, if the used ones are all there are.
    fn all_shapes(&self, ty: Ty, used: &[Shape]) -> Option<Vec<Shape>> {
        let types = &self.cx.unit.types;
        let all = match self.cx.kind_of(ty) {
            TyKind::Bool => vec![Shape::Int(0), Shape::Int(1)],
            TyKind::Int(int) if int.bits() == 8 => {
                if used.len() < 256 {
                    return None;
                }
                let num = Num::of(types, self.cx.resolve(ty))?;
                (0..256).map(|i| Shape::Int(num.wrap(i))).collect()
            }
            TyKind::Enum(id) if self.closed_enums => {
                types.enumerators(*id).iter().map(|(_, v)| Shape::Int(i128::from(*v))).collect()
            }
            // A fat pointer may also be out of bounds, which no pattern but a variable matches.
            TyKind::Pointer(p) if p.bound == Bound::Fat => return None,
            TyKind::Pointer(p) if p.nullable => vec![Shape::Null, Shape::Pointer],
            TyKind::Pointer(_) => vec![Shape::Pointer],
            TyKind::Tuple(_) => vec![Shape::Tuple],
            TyKind::Aggr(id) if types.aggr(*id).tagged => {
                (0..types.fields(*id)?.len() as u32).map(|m| Shape::Member(types.own_aggr(*id), m)).collect()
            }
            TyKind::Aggr(id) if used.contains(&Shape::Struct(types.own_aggr(*id))) => {
                vec![Shape::Struct(types.own_aggr(*id))]
            }
            TyKind::Variant(d, v) => vec![Shape::Variant(types.own_datatype(*d), *v)],
            TyKind::Datatype(d) if !types.datatype(*d).extensible => {
                let own = types.own_datatype(*d);
                (0..types.datatype(*d).variants.len() as u32).map(|v| Shape::Variant(own, v)).collect()
            }
            _ => return None,
        };
        (!all.is_empty() && all.iter().all(|s| used.contains(s))).then_some(all)
    }

    fn part_types(&self, head: Shape, ty: Ty) -> Vec<Ty> {
        let types = &self.cx.unit.types;
        match head {
            Shape::Pointer => self.cx.pointer_of(ty).map(|p| p.to.ty).into_iter().collect(),
            Shape::Tuple => match self.cx.kind_of(ty) {
                TyKind::Tuple(parts) => parts.iter().map(|p| p.ty).collect(),
                _ => vec![],
            },
            Shape::Struct(_) | Shape::Member(..) | Shape::Variant(..) => match (head, self.cx.kind_of(ty)) {
                (Shape::Struct(_), TyKind::Aggr(id)) => {
                    types.fields(*id).unwrap_or_default().iter().map(|f| f.qty.ty).collect()
                }
                (Shape::Member(_, m), TyKind::Aggr(id)) => {
                    types.fields(*id).into_iter().map(|fields| fields[m as usize].qty.ty).collect()
                }
                (Shape::Variant(_, v), TyKind::Datatype(d) | TyKind::Variant(d, _)) => {
                    types.variant_fields(*d, v).unwrap_or_default().iter().map(|f| f.ty).collect()
                }
                _ => vec![],
            },
            Shape::Int(_) | Shape::Float(_) | Shape::FloatText(_) | Shape::Null => vec![],
        }
    }

    /// A shape of the type that is not among the used ones, as a pattern.
    fn unused(&self, ty: Ty, used: &[Shape]) -> String {
        if used.is_empty() {
            return "_".into();
        }
        let types = &self.cx.unit.types;
        match self.cx.kind_of(ty) {
            TyKind::Bool | TyKind::Int(_) => {
                let num = Num::of(types, self.cx.resolve(ty)).unwrap_or(Num { bits: 32, signed: true });
                let free = (0..).map(|i| num.wrap(i)).find(|i| !used.contains(&Shape::Int(*i)));
                free.map_or("_".into(), |i| i.to_string())
            }
            TyKind::Enum(id) => {
                let items = types.enumerators(*id);
                let free = items.iter().find(|(_, v)| !used.contains(&Shape::Int(i128::from(*v))));
                free.map_or_else(|| OTHER_ENUMERATOR.into(), |(name, _)| name.to_string())
            }
            TyKind::Pointer(_) if used.contains(&Shape::Null) && used.contains(&Shape::Pointer) => {
                "a pointer out of bounds".into()
            }
            TyKind::Pointer(_) if used.contains(&Shape::Null) => "&_".into(),
            TyKind::Pointer(_) => "NULL".into(),
            TyKind::Datatype(d) => {
                let datatype = types.datatype(*d);
                let free = (0..datatype.variants.len() as u32)
                    .find(|v| !used.contains(&Shape::Variant(types.own_datatype(*d), *v)));
                match free {
                    Some(v) if !datatype.extensible => {
                        let wild = vec!["_".to_string(); datatype.variants[v as usize].fields.len()];
                        self.show(Shape::Variant(*d, v), &wild)
                    }
                    _ => "_".into(),
                }
            }
            TyKind::Aggr(id) if types.aggr(*id).tagged => {
                let members = types.fields(*id).map_or(0, |fields| fields.len() as u32);
                let free = (0..members).find(|m| !used.contains(&Shape::Member(types.own_aggr(*id), *m)));
                free.map_or("_".into(), |m| self.show(Shape::Member(*id, m), &["_".into()]))
            }
            _ => "_".into(),
        }
    }

    /// A shape with its parts, as the user would write the pattern.
    fn show(&self, head: Shape, parts: &[String]) -> String {
        let types = &self.cx.unit.types;
        match head {
            Shape::Int(value) => value.to_string(),
            Shape::Float(bits) => f64::from_bits(bits).to_string(),
            Shape::FloatText(text) => text.to_string(),
            Shape::Null => "NULL".into(),
            Shape::Pointer => format!("&{}", parts.join("")),
            Shape::Tuple => format!("$({})", parts.join(", ")),
            Shape::Struct(id) => {
                let aggr = types.aggr(id);
                let name = if aggr.anonymous { "" } else { aggr.name.as_str() };
                format!("{name}{{{}}}", parts.join(", "))
            }
            Shape::Member(id, m) => {
                let name = types.fields(id).and_then(|fields| fields[m as usize].name);
                format!("{{.{} = {}}}", name.map_or("_", |name| name.as_str()), parts.join(""))
            }
            Shape::Variant(d, v) => {
                let name = types.datatype(d).variants[v as usize].name;
                if parts.is_empty() { name.to_string() } else { format!("{name}({})", parts.join(", ")) }
            }
        }
    }
}
