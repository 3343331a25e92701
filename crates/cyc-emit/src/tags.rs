//! Tags of structs and unions in C. The programmer's names, unless C text may use the same ones; instances of a definition
//! with parameters add `$4`, `$8` … for the shapes of its arguments.

use crate::ctree::Text;
use crate::names::in_c;
use cyc_types::{AggrId, Arg, Kind, Ty, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::rc::Rc;

pub(crate) struct Tags {
    /// One for each definition, by its instance at its own parameters.
    of: FxHashMap<AggrId, Rc<str>>,
}

impl Tags {
    pub fn new(types: &Types, with_c_text: bool) -> Tags {
        let mut taken: FxHashSet<Rc<str>> = FxHashSet::default();
        let mut of: FxHashMap<AggrId, Rc<str>> = FxHashMap::default();
        let own = || types.aggr_ids().filter(|id| types.is_own_aggr(*id));
        for id in own().filter(|id| types.aggr(*id).from_c_text) {
            let name: Rc<str> = types.aggr(id).name.as_str().into();
            taken.insert(name.clone());
            of.insert(id, name);
        }
        for id in own().filter(|id| !types.aggr(*id).from_c_text) {
            let aggr = types.aggr(id);
            let name = in_c(aggr.name.as_str());
            let ours = with_c_text || name.starts_with("cyc_");
            let base = if ours && aggr.fields.is_some() { format!("Cyc_{name}") } else { name.clone() };
            let tag: Rc<str> =
                if taken.contains(&*base) { format!("_cycA{}_{name}", id.0).into() } else { base.into() };
            taken.insert(tag.clone());
            of.insert(id, tag);
        }
        Tags { of }
    }

    /// The tag of an erased instance.
    pub fn get(&self, types: &Types, id: AggrId) -> Text {
        let own = types.own_aggr(id);
        let mut tag = self.of.get(&own).map_or(String::new(), |tag| tag.to_string());
        for (param, arg) in types.aggr(id).params.iter().zip(types.args(types.aggr_args(id))) {
            let Arg::Type(ty) = arg else { continue };
            let _ = match (types.shape(*ty), *ty, param.kind) {
                (Some(shape), ..) => write!(tag, "${}", shape.bytes()),
                (None, Ty::VOID, _) => write!(tag, "$v"),
                (None, ty, Kind::A | Kind::M) => write!(tag, "$t{}", ty.0),
                (None, ..) => Ok(()),
            };
        }
        tag.into()
    }
}
