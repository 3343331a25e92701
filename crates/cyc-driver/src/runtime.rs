//! The run time and the library: unpacked once, compiled once for each compiler and set of flags.

use crate::cc::{CCompiler, stderr_text};
use crate::options::Options;
use crate::problem::Problem;
use crate::{c_text, cache, compile, embedded};
use std::path::{Path, PathBuf};

/// Sources of the run time that every program links.
const RUNTIME_FOLDERS: &[&str] = &["runtime/src/exn", "runtime/src/gc", "runtime/src/os", "runtime/src/lib"];

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

    fn build_archive(&self, place: &Path, cc: &CCompiler, options: &Options) -> Result<(), Problem> {
        let mut objects = vec![];
        let sources =
            RUNTIME_FOLDERS.iter().flat_map(|folder| embedded::below(folder)).filter(|(p, _)| p.ends_with(".c"));
        for (name, _) in sources {
            let object = place.join(name.replace('/', "-")).with_extension("o");
            let mut args: Vec<String> = ["-std=gnu11", "-O2", "-g", "-c", "-fwrapv"].map(String::from).into();
            args.extend(options.codegen_flags().cloned());
            args.extend(["-I".into(), self.runtime_headers().to_string_lossy().into_owned()]);
            args.extend([
                self.root.join(name).to_string_lossy().into_owned(),
                "-o".into(),
                object.to_string_lossy().into_owned(),
            ]);
            let output = cc.run(&args)?;
            if !output.status.success() {
                return Err(Problem::c_compiler_failed(name, &stderr_text(&output)));
            }
            objects.push(object);
        }
        for (name, _) in embedded::below("lib/src").filter(|(p, _)| p.ends_with(".cyc")) {
            let object = place.join(name.replace('/', "-")).with_extension("o");
            compile::library_module(self, cc, options, &self.root.join(name), &object)?;
            objects.push(object);
        }
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
