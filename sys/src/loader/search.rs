// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Search paths of the libraries. Opens nothing.

use std::path::{Path, PathBuf};

use mf_base::loader::Candidate;

use super::Library;

/// The place of candidates below the explicit path of the search.
pub const EXPLICIT: &str = "explicit path";
/// The place of `$ASCEND_HOME_PATH/lib64`.
pub const ASCEND_HOME: &str = "ASCEND_HOME_PATH";
/// The place of `$ASCEND_TOOLKIT_HOME/lib64`.
pub const TOOLKIT_HOME: &str = "ASCEND_TOOLKIT_HOME";
/// Label of the folder of an already open simulator `libascendcl.so`.
pub const SIMULATOR: &str = "beside the simulator";

/// Search settings for CANN. The order is described in the [documentation of the loader](super).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Folder with the libraries (directly or in its `lib64`), or the file `libascendcl.so` itself. Searched
    /// first.
    pub explicit: Option<PathBuf>,
    /// The installation that `ASCEND_HOME_PATH` names; its `lib64` is searched.
    pub ascend_home: Option<PathBuf>,
    /// The installation that `ASCEND_TOOLKIT_HOME` names; its `lib64` is searched.
    pub toolkit_home: Option<PathBuf>,
    /// Libraries without which opening fails, besides `libascendcl.so`.
    pub needed: Vec<Library>,
}

impl Search {
    /// The search that the environment asks for, without an explicit path. Empty variables count as unset.
    pub fn from_environment() -> Self {
        let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self { ascend_home: folder(ASCEND_HOME), toolkit_home: folder(TOOLKIT_HOME), ..Self::default() }
    }

    /// Searches `path` first.
    #[must_use]
    pub fn explicit(mut self, path: impl Into<PathBuf>) -> Self {
        self.explicit = Some(path.into());
        self
    }

    /// Fails when `library` cannot be had.
    #[must_use]
    pub fn need(mut self, library: Library) -> Self {
        self.needed.push(library);
        self
    }

    /// The candidates for `library`, best first. `simulator` is the file that ACL came from, when it is the
    /// simulator.
    pub(super) fn candidates(&self, library: Library, simulator: Option<&Path>) -> Vec<Candidate> {
        let soname = library.soname();
        if let Some(acl) = simulator {
            // A simulated installation has a link for each library; a simulator file with another name
            // contains all of them.
            let linked = acl.file_name().is_some_and(|name| name == Library::Acl.soname());
            let path = if linked { acl.with_file_name(soname) } else { acl.to_path_buf() };
            return vec![Candidate::file(SIMULATOR, path)];
        }
        let mut candidates = Vec::new();
        if library != Library::Hal {
            if let Some(path) = &self.explicit {
                candidates.extend(explicit(path, library));
            }
            if let Some(home) = &self.ascend_home {
                candidates.push(Candidate::file(ASCEND_HOME, home.join("lib64").join(soname)));
            }
            if let Some(home) = &self.toolkit_home {
                candidates.push(Candidate::file(TOOLKIT_HOME, home.join("lib64").join(soname)));
            }
        }
        candidates.push(Candidate::system(soname));
        candidates
    }
}

/// The candidates below an explicit path: a folder, or the ACL library itself.
fn explicit(path: &Path, library: Library) -> Vec<Candidate> {
    let at = |path: PathBuf| Candidate::file(EXPLICIT, path);
    if path.is_file() {
        return match library {
            Library::Acl => vec![at(path.to_path_buf())],
            _ => path.parent().map(|folder| at(folder.join(library.soname()))).into_iter().collect(),
        };
    }
    vec![at(path.join(library.soname())), at(path.join("lib64").join(library.soname()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everything() -> Search {
        Search {
            explicit: Some("/explicit".into()),
            ascend_home: Some("/home".into()),
            toolkit_home: Some("/toolkit".into()),
            needed: Vec::new(),
        }
    }

    fn paths(search: &Search, library: Library, simulator: Option<&str>) -> Vec<String> {
        let candidates = search.candidates(library, simulator.map(Path::new));
        candidates.iter().map(|candidate| candidate.path.display().to_string()).collect()
    }

    #[test]
    fn toolkit_search_order_is_explicit_homes_loader_path() {
        for library in [Library::Acl, Library::Hccl, Library::Runtime] {
            let soname = library.soname();
            let wanted = [
                format!("/explicit/{soname}"),
                format!("/explicit/lib64/{soname}"),
                format!("/home/lib64/{soname}"),
                format!("/toolkit/lib64/{soname}"),
                soname.to_owned(),
            ];
            assert_eq!(paths(&everything(), library, None), wanted);
        }
    }

    #[test]
    fn driver_is_searched_on_the_loader_path_only() {
        assert_eq!(paths(&everything(), Library::Hal, None), ["libascend_hal.so"]);
    }

    #[test]
    fn simulator_folder_provides_all_libraries() {
        for library in [Library::Hal, Library::Hccl, Library::Runtime] {
            let linked = paths(&everything(), library, Some("/sim/libascendcl.so"));
            assert_eq!(linked, [format!("/sim/{}", library.soname())]);
            let alone = paths(&everything(), library, Some("/sim/libascend_sim.so"));
            assert_eq!(alone, ["/sim/libascend_sim.so"]);
        }
    }

    #[test]
    fn relative_paths_count_from_the_working_directory() {
        let here = std::env::current_dir().unwrap();
        let wanted = here.join("here/libascendcl.so").display().to_string();
        assert_eq!(paths(&Search::default().explicit("here"), Library::Acl, None)[0], wanted);
    }

    #[test]
    fn empty_search_uses_the_loader_path() {
        assert_eq!(paths(&Search::default(), Library::Acl, None), ["libascendcl.so"]);
    }
}
