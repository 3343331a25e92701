//! The run time and the library: unpacked once, compiled once for each compiler and set of flags.

use crate::cc::{CCompiler, stderr_text};
use crate::compile::PROBES;
use crate::options::Options;
use crate::problem::Problem;
use crate::{c_text, cache, embedded, modules, parallel};
use std::path::{Path, PathBuf};

/// Sources of the run time that every program links.
const RUNTIME_FOLDERS: &[&str] = &[
    "runtime/src/closure",
    "runtime/src/exn",
    "runtime/src/heap",
    "runtime/src/pool",
    "runtime/src/profile",
    "runtime/src/region",
    "runtime/src/unique",
    "runtime/src/refcount",
    "runtime/src/os",
    "runtime/src/thread",
    "runtime/src/lib",
];

/// The allocator under the run time, its prefix only: the C library keeps its own `malloc`.
const ALLOCATOR_FOLDER: &str = "runtime/src/lowfat";
const ALLOCATOR_FLAGS: &[&str] = &["-DLOWFAT_NO_INTERPOSE", "-DLOWFAT_ON_DEMAND", "-DLOWFAT_OF_CYCLONE", "-w"];

/// The collector under the heap, in programs that may need one.
const COLLECTOR_FOLDER: &str = "runtime/src/gc";
const COLLECTOR_FLAGS: &[&str] = &["-DCYC_GC_OF_CYCLONE", "-w"];
/// Tells the run time that there is none (`--gc=none`).
pub const NO_COLLECTOR: &str = "-DCYC_GC_NONE";

/// Lets the run time keep a memory profile (`--memory-profile`).
pub const MEMORY_PROFILE: &str = "-DCYC_PROFILE";

/// Sanitizers that must see every heap object: with them the C library's `malloc` stays under the heap.
const HEAP_SANITIZERS: &[&str] = &["address", "hwaddress", "kernel-address", "leak", "memory", "thread"];

/// One file of C that becomes part of the archive.
struct Source {
    name: &'static str,
    flags: &'static [&'static str],
}

fn wants_libc_heap<'a>(mut flags: impl Iterator<Item = &'a String>) -> bool {
    flags.any(|flag| {
        flag == "-DCYC_HEAP_LIBC"
            || flag
                .strip_prefix("-fsanitize=")
                .is_some_and(|list| list.split(',').any(|s| HEAP_SANITIZERS.contains(&s)))
    })
}

fn sources(libc_heap: bool, collector: bool) -> Vec<Source> {
    let c_files = |folder: &str, flags| {
        let files = embedded::below(folder).filter(|(path, _)| path.ends_with(".c"));
        files.map(move |(name, _)| Source { name, flags }).collect::<Vec<_>>()
    };
    let heap: &[&str] = if libc_heap { &["-DCYC_HEAP_LIBC"] } else { &[] };
    let mut sources: Vec<Source> = RUNTIME_FOLDERS.iter().flat_map(|folder| c_files(folder, heap)).collect();
    if !libc_heap {
        sources.extend(c_files(ALLOCATOR_FOLDER, ALLOCATOR_FLAGS));
        if collector {
            sources.extend(c_files(COLLECTOR_FOLDER, COLLECTOR_FLAGS));
        }
    }
    sources
}

/// The folder of the headers: unpacked it holds their [`c_text::wrapper`]s, and themselves in the folder [`TYPED`].
const HEADERS: &str = "lib/include/";
const TYPED: &str = "cyc-typed";

fn write_below(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Problem> {
    let path = folder.join(name);
    let failed = |e: std::io::Error| Problem::cannot_write(&path, &e);
    std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
    std::fs::write(&path, bytes).map_err(failed)
}

/// Where the unpacked files are.
#[derive(Clone, Debug)]
pub struct Home {
    pub root: PathBuf,
}

impl Home {
    /// Unpacks what the compiler carries, if this version has not done so before.
    pub fn open() -> Result<Home, Problem> {
        let mut parts = vec![env!("CARGO_PKG_VERSION")];
        let contents: Vec<String> =
            embedded::FILES.iter().map(|(path, bytes)| format!("{path}\0{}", String::from_utf8_lossy(bytes))).collect();
        parts.extend(contents.iter().map(String::as_str));
        let wrapper = c_text::wrapper("", "");
        parts.push(&wrapper);
        let root = cache::entry(&format!("home-{}", cache::key(&parts)), |place| {
            for (name, bytes) in embedded::FILES {
                let Some(header) = name.strip_prefix(HEADERS) else {
                    write_below(place, name, bytes)?;
                    continue;
                };
                write_below(place, &format!("{HEADERS}{TYPED}/{header}"), bytes)?;
                let wrapper = c_text::wrapper(header, &format!("{TYPED}/{header}"));
                write_below(place, name, wrapper.as_bytes())?;
            }
            Ok(())
        })?;
        Ok(Home { root })
    }

    /// The typed headers, searched before the system's.
    pub fn library_headers(&self) -> PathBuf {
        self.root.join(HEADERS)
    }

    /// The same as they stand in the library, without what tells C text apart.
    pub fn typed_headers(&self) -> PathBuf {
        self.library_headers().join(TYPED)
    }

    /// The header of emitted C.
    pub fn runtime_headers(&self) -> PathBuf {
        self.root.join("runtime/include")
    }

    /// The archive that programs link with, compiled if this compiler and these flags are new.
    pub fn archive(&self, cc: &CCompiler, options: &Options, progress: &dyn Fn(&str)) -> Result<PathBuf, Problem> {
        let flags: Vec<&str> = options.codegen_flags().map(String::as_str).collect();
        let home = self.root.to_string_lossy();
        let key = cache::key(&[&home, &cc.fingerprint(), &flags.join("\0")]);
        let folder = cache::entry(&format!("runtime-{key}"), |place| {
            progress("compiling the run time (once for this compiler and these flags)");
            self.build_archive(place, cc, options)
        })?;
        Ok(folder.join("libcyc.a"))
    }

    /// Compiles one file of the run time; its object lies in `place`.
    fn compile_source(
        &self,
        source: &Source,
        place: &Path,
        cc: &CCompiler,
        options: &Options,
    ) -> Result<PathBuf, Problem> {
        let object = place.join(source.name.replace('/', "-")).with_extension("o");
        let mut args: Vec<String> = ["-std=gnu11", "-O2", "-g", "-c", "-fwrapv", PROBES].map(String::from).into();
        args.extend(source.flags.iter().map(|flag| flag.to_string()));
        args.extend(options.fat_objects().map(String::from));
        args.extend(options.codegen_flags().cloned());
        args.extend(["-I".into(), self.runtime_headers().to_string_lossy().into_owned()]);
        args.extend([
            self.root.join(source.name).to_string_lossy().into_owned(),
            "-o".into(),
            object.to_string_lossy().into_owned(),
        ]);
        let output = cc.run(&args)?;
        if !output.status.success() {
            return Err(Problem::c_compiler_failed(source.name, &stderr_text(&output)));
        }
        Ok(object)
    }

    /// Compiles the C files on all processors.
    fn compile_sources(
        &self,
        sources: &[Source],
        place: &Path,
        cc: &CCompiler,
        options: &Options,
    ) -> Result<Vec<PathBuf>, Problem> {
        parallel::map(sources, |_, source| self.compile_source(source, place, cc, options)).into_iter().collect()
    }

    fn build_archive(&self, place: &Path, cc: &CCompiler, options: &Options) -> Result<(), Problem> {
        let collector = !options.codegen_flags().any(|flag| flag == NO_COLLECTOR);
        let sources = sources(wants_libc_heap(options.codegen_flags()), collector);
        let mut objects = self.compile_sources(&sources, place, cc, options)?;
        let core = place.join("lib-core.o");
        modules::compile(self, cc, options, &self.root.join(format!("lib/src/{}.cyc", modules::ALWAYS)), &core)?;
        objects.push(core);
        let archive = place.join("libcyc.a");
        let output = std::process::Command::new("ar").arg("rcs").arg(&archive).args(&objects).output();
        let output = output.map_err(|e| Problem::cannot_run("ar", &e))?;
        if !output.status.success() {
            return Err(Problem::link_failed(&stderr_text(&output)));
        }
        objects.iter().for_each(|object| drop(std::fs::remove_file(object)));
        Ok(())
    }
}
