//! Projects in folders that vanish.

use eyewall_tests::tools::{Job, Ran, crash_text, cyc, files_below};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// A project in a folder of its own.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// A folder that holds these files, all a second old: what is written in a test is newer.
    pub fn new(files: &[(&str, &str)]) -> Scratch {
        let s = Scratch(tempfile::tempdir().expect("a scratch directory"));
        for (name, text) in files {
            s.write(name, text);
            s.set_back(name, Duration::from_secs(1));
        }
        s
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A tenth of a second ago: of a file that was written just as a build began no record is kept.
    pub fn write(&self, name: &str, text: &str) {
        let place = self.path().join(name);
        fs::create_dir_all(place.parent().expect("a file lies in a folder"))
            .expect("the scratch directory is writable");
        fs::write(place, text).expect("the scratch directory is writable");
        self.set_back(name, Duration::from_millis(100));
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }

    /// As if the file had been written so much earlier.
    fn set_back(&self, name: &str, by: Duration) {
        let file = fs::File::options().write(true).open(self.path().join(name)).expect("the file is there");
        let modified = file.metadata().and_then(|m| m.modified()).expect("files have times");
        file.set_modified(modified - by).expect("the time can be set");
    }

    /// As `touch` does.
    pub fn touch(&self, name: &str) {
        let text = self.read(name);
        self.write(name, &text);
    }

    pub fn cyc(&self, args: &[&str]) -> Job {
        Job::cyc().args(args).dir(self.path()).env("NO_COLOR", "1")
    }

    pub fn sh(&self, script: &str) -> Job {
        Job::new("sh").args(["-euc", script]).dir(self.path()).env("CYC", cyc())
    }

    /// `cyc build` has to succeed; the names of the objects that it made anew.
    #[track_caller]
    pub fn build(&self) -> BTreeSet<String> {
        self.build_with(&[])
    }

    #[track_caller]
    pub fn build_with(&self, flags: &[&str]) -> BTreeSet<String> {
        let before = self.versions();
        expect(&self.cyc(&[&["build"], flags].concat()).run(), 0, &[]);
        let after = self.versions();
        after.into_iter().filter(|(name, version)| before.get(name) != Some(version)).map(|(name, _)| name).collect()
    }

    /// The objects, programs and tests that there are: each with its number on the disk, which a new file does not share.
    fn versions(&self) -> BTreeMap<String, (u64, i64, i64)> {
        let build = self.path().join("build");
        let products = files_below(&build, "").into_iter().filter(|path| {
            let name = path.to_string_lossy().into_owned();
            !name.ends_with(".made") && !name.ends_with(".lock") && !name.ends_with(".json")
        });
        let version = |path: &Path| {
            let meta = fs::metadata(path).expect("what was found is there");
            (meta.ino(), meta.mtime(), meta.mtime_nsec())
        };
        let name = |path: &Path| path.strip_prefix(&build).expect("found below").to_string_lossy().into_owned();
        products.map(|path| (name(&path), version(&path))).collect()
    }
}

/// The status, words of the message, and no crash.
#[track_caller]
pub fn expect(ran: &Ran, status: i32, words: &[&str]) {
    let text = ran.err();
    assert!(!ran.timed_out, "took too long:\n{text}");
    assert_eq!(crash_text(&text), None, "crashed:\n{text}");
    assert_eq!(ran.status, status, "exit status; standard error:\n{text}");
    for word in words {
        assert!(text.contains(word), "the message does not say {word:?}:\n{text}");
    }
}

pub fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}
