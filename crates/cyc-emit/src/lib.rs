//! From MIR to a C tree and to C text: the only crate that knows C output.
//!
//! The output is C11 with GNU attributes for gcc and clang, includes `cyc_rt.h` and nothing else, and
//! is compiled with `-fwrapv -fno-strict-aliasing`. It has no undefined behaviour that the Cyclone
//! program does not have: shifts are masked, divisions guarded, unset storage settled, pointers of
//! different objects compared as integers.

mod arithmetic;
mod body;
mod check;
mod control;
mod ctree;
mod debug;
mod fold;
mod globals;
mod init;
mod instances;
mod interface;
mod literal;
mod names;
mod print;
mod profile;
mod retype;
mod rvalue;
mod stmt;
mod structure;
mod sums;
mod tags;
mod trace;
mod types;

use cyc_base::SourceMap;
use cyc_mir::Body;
use cyc_mir::tast::{CText, GlobalId, Linkage, TypedUnit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

#[derive(Clone, Debug)]
pub struct Options {
    /// `#line` directives, so that debuggers and messages of the C compiler show Cyclone source. Without
    /// them the output is laid out for people.
    pub line_directives: bool,
    /// Unsafe: leaves out null checks (`--nonullchecks`).
    pub no_null_checks: bool,
    /// Unsafe: leaves out bounds checks (`--noboundschecks`).
    pub no_bounds_checks: bool,
    /// For debuggers: types have names that tell what they are, and gdb runs this script when it loads the program.
    pub gdb_script: Option<&'static str>,
    /// What the program tells a memory profile.
    pub profile: Profile,
}

/// Whose code it is that tells a memory profile where it allocates (`cyc_profile.h`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Profile {
    /// Nothing is told.
    #[default]
    Off,
    /// The user's, which tells where it calls as well.
    Program,
    /// A module of the library.
    Library,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            line_directives: true,
            no_null_checks: false,
            no_bounds_checks: false,
            gdb_script: None,
            profile: Profile::Off,
        }
    }
}

/// What the emission of one unit shares.
pub(crate) struct Unit<'a> {
    pub unit: &'a TypedUnit,
    pub source: &'a SourceMap,
    pub options: &'a Options,
    pub types: types::CTypes<'a>,
    pub names: names::Names,
    pub instances: instances::Instances,
    pub maps: trace::Maps,
    /// Static functions that C is asked to inline.
    pub small: FxHashSet<GlobalId>,
}

/// The C text of a unit. `bodies` are those of `unit.functions`.
pub fn emit(unit: &TypedUnit, bodies: &[Body], source: &SourceMap, options: &Options) -> String {
    let names = names::Names::new(unit);
    let types = types::CTypes::new(unit, options.gdb_script.is_some());
    let cx = Unit {
        unit,
        source,
        options,
        types,
        names,
        instances: Default::default(),
        maps: Default::default(),
        small: bodies.iter().filter(|body| globals::is_small(unit, body)).map(|body| body.global).collect(),
    };
    let variables = globals::variables(&cx);
    let mut functions = String::new();
    let mut files = body::Files::default();
    let mut shaped = FxHashMap::default();
    for body in bodies {
        if cx.is_shaped(body.global) {
            shaped.insert(body.global, body);
            if unit.global(body.global).linkage != Linkage::Internal {
                cx.all_instances(body.global);
            }
        } else if globals::is_wanted(unit, body.global) {
            body::function(&cx, body, &[], &mut files, &mut functions);
        }
    }
    let mut next = 0;
    while let Some(instance) = cx.instances.get(next) {
        if let Some(body) = shaped.get(&instance.global) {
            body::function(&cx, body, &instance.shapes, &mut files, &mut functions);
        }
        next += 1;
    }
    let start = globals::start(&cx);
    let declarations = globals::declarations(&cx) + &sums::constants(&cx);

    let mut out = String::with_capacity(functions.len() + declarations.len() + 4096);
    out.push_str("#include \"cyc_rt.h\"\n\n");
    for text in &unit.c_texts {
        match text {
            CText::Include(span) => {
                if options.line_directives {
                    let (file, line) = source.file_line(span.lo);
                    let _ = writeln!(out, "#line {line} {}", literal::string(source.files[file].name.as_bytes()));
                }
                out.push_str(&source.text()[span.lo as usize..span.hi as usize]);
                out.push('\n');
            }
            CText::Asm(text) => {
                let _ = writeln!(out, "__asm__({});", literal::string(text));
            }
        }
    }
    out.push_str(&cx.types.definitions());
    for (i, file) in files.used.iter().enumerate() {
        let name = literal::string(source.files[*file].name.as_bytes());
        let _ = writeln!(out, "static const char _cycF{i}[] __attribute__((unused)) = {name};");
    }
    out.push_str(&files.sites.definitions(options.profile));
    out.push_str(&cx.maps.definitions());
    out.push_str(&declarations);
    out.push_str(&cx.tables());
    out.push_str(&variables);
    out.push_str(&functions);
    out.push_str(&start);
    out.push_str(&interface::section(&cx));
    out.push_str(&options.gdb_script.map_or(String::new(), debug::script));
    out
}
