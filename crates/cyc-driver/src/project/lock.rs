//! One build of a folder at a time.

use crate::problem::Problem;
use crate::report::Report;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Held until it is dropped, or its process ends in whatever way.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other build holds the folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn take(folder: &Path, report: &dyn Report) -> Result<Lock, Problem> {
        let place = folder.join(".lock");
        let failed = |e: std::io::Error| Problem::cannot_write(&place, &e);
        let file = File::options().create(true).truncate(false).write(true).open(&place).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                report.progress("waiting for another build of this project");
                file.lock().map_err(failed)?;
            }
            // A file system without locks: as before there were any.
            Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(failed(e)),
        }
        Ok(Lock { _file: file })
    }
}
