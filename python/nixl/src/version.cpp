// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "version.h"

#include <dirent.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef MF_NIXL_BUILT_FOR
#error "MF_NIXL_BUILT_FOR: the minor version of NIXL that this is built for, as \"1.5\""
#endif

namespace mf {
namespace {

std::string parent(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

int note_libnixl(dl_phdr_info *object, std::size_t, void *found) {
    const std::string path = object->dlpi_name;
    if (path.substr(path.rfind('/') + 1) != "libnixl.so") return 0;
    *static_cast<std::string *>(found) = path;
    return 1;
}

// The version in the name of a folder "nixl_cu12-1.5.1.dist-info".
std::string version_in(const char *folder, const std::string &distribution) {
    const std::string name = folder, prefix = distribution + "-", ending = ".dist-info";
    if (name.size() <= prefix.size() + ending.size() || name.compare(0, prefix.size(), prefix) != 0 ||
        name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        return {};
    return name.substr(prefix.size(), name.size() - prefix.size() - ending.size());
}

// A wheel keeps its libraries in .DISTRIBUTION.mesonpy.libs, beside DISTRIBUTION-VERSION.dist-info.
std::string of_wheel(const std::string &library) {
    const std::string libraries = parent(library), site = parent(libraries), ending = ".mesonpy.libs";
    std::string name = libraries.substr(libraries.rfind('/') + 1);
    if (name.size() <= 1 + ending.size() || name[0] != '.' ||
        name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        return {};
    name = name.substr(1, name.size() - 1 - ending.size());
    DIR *folder = opendir(site.empty() ? "/" : site.c_str());
    if (folder == nullptr) return {};
    std::string version;
    while (const dirent *entry = readdir(folder))
        if (version.empty()) version = version_in(entry->d_name, name);
    closedir(folder);
    return version;
}

// True if "1.5.1" is of "1.5".
bool is_of(const std::string &version, const std::string &minor) {
    return version.compare(0, minor.size(), minor) == 0 && (version.size() == minor.size() || version[minor.size()] == '.');
}

}  // namespace

std::string built_for() { return MF_NIXL_BUILT_FOR; }

std::string loaded_nixl() {
    if (const char *chosen = std::getenv("MF_NIXL_VERSION"); chosen != nullptr && *chosen != '\0') return chosen;
    std::string library;
    dl_iterate_phdr(note_libnixl, &library);
    return of_wheel(library);
}

bool is_loaded_by_its_nixl() {
    const std::string version = loaded_nixl();
    if (is_of(version, built_for())) return true;
    if (version.empty())
        std::fprintf(stderr,
                     "mf_nixl: unknown version of NIXL: libnixl.so is not part of a wheel; this plug-in is built for %s: if "
                     "that is the version, set MF_NIXL_VERSION=%s\n",
                     built_for().c_str(), built_for().c_str());
    else
        std::fprintf(stderr,
                     "mf_nixl: NIXL %s cannot load the plug-in built for NIXL %s: take the one for its version, which "
                     "`python -m mf_nixl` selects\n",
                     version.c_str(), built_for().c_str());
    return false;
}

}  // namespace mf
