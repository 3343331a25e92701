//! What emitted code tells a memory profile: the places in the source where it allocates, calls and opens regions
//! (`runtime/include/cyc_profile.h`). Without one, nothing.

use crate::{Profile, literal};
use cyc_base::Symbol;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What the next statement does.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    Allocation,
    Call,
    /// A region begins, of that name.
    Region(Option<Symbol>),
}

impl Event {
    /// The function of the run time that has to know the place. A module of the library does not tell where it calls: what it
    /// allocates is its caller's.
    pub(crate) fn hook(self, profile: Profile) -> Option<&'static str> {
        match (profile, self) {
            (Profile::Off, _) | (Profile::Library, Event::Call) => None,
            (Profile::Program, Event::Call) => Some("cyc_profile_call"),
            _ => Some("cyc_profile_at"),
        }
    }

    pub(crate) fn region(self) -> Option<&'static str> {
        match self {
            Event::Region(name) => Some(name.map_or("region", |name| name.as_str())),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Site {
    /// The slot of its name.
    pub file: usize,
    pub line: u32,
    pub function: String,
    pub region: Option<&'static str>,
}

/// The places of a unit, numbered in order of first use.
#[derive(Default)]
pub(crate) struct Sites {
    list: Vec<Site>,
    index: FxHashMap<Site, usize>,
}

impl Sites {
    pub(crate) fn index(&mut self, site: Site) -> usize {
        let next = self.list.len();
        *self.index.entry(site).or_insert_with_key(|site| {
            self.list.push(site.clone());
            next
        })
    }

    pub(crate) fn definitions(&self, profile: Profile) -> String {
        let library = u32::from(profile == Profile::Library);
        let mut out = String::new();
        for (i, site) in self.list.iter().enumerate() {
            let function = literal::string(site.function.as_bytes());
            let region = site.region.map_or("0".into(), |name| literal::string(name.as_bytes()));
            let Site { file, line, .. } = site;
            let _ = writeln!(
                out,
                "static struct cyc_site _cycP{i} = {{_cycF{file}, {line}, {library}, {function}, {region}, 0}};"
            );
        }
        out
    }
}
