// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "library.h"

#include <dlfcn.h>

#include <climits>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace mf {
namespace {

constexpr int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
constexpr const char *names[] = {"libmf_smem.so", "libmf_smem.so.0"};

// The library of the package mf_smem in the same site-packages: this file is mf_nixl/plugins/1.5/NAME
// there, or a link to it.
std::string of_package() {
    Dl_info here{};
    char path[PATH_MAX];
    if (dladdr(reinterpret_cast<const void *>(&of_package), &here) == 0 || realpath(here.dli_fname, path) == nullptr)
        return {};
    std::string site = path;
    for (int level = 0; level < 4; ++level) site.resize(site.rfind('/') == std::string::npos ? 0 : site.rfind('/'));
    return site + "/mf_smem/lib/libmf_smem.so";
}

void *open_first(std::string &why) {
    if (const char *chosen = std::getenv("MF_SMEM_LIBRARY"); chosen != nullptr && *chosen != '\0') {
        void *opened = dlopen(chosen, flags);
        if (opened == nullptr) why = std::string("MF_SMEM_LIBRARY: ") + dlerror();
        return opened;
    }
    // One copy of the library in a process: it has the state.
    for (const char *name : names)
        if (void *loaded = dlopen(name, flags | RTLD_NOLOAD)) return loaded;
    std::vector<std::string> places{of_package()};
    places.insert(places.end(), std::begin(names), std::end(names));
    for (const std::string &place : places) {
        if (place.empty()) continue;
        if (void *opened = dlopen(place.c_str(), flags)) return opened;
        why += (why.empty() ? "" : "; ") + std::string(dlerror());
    }
    return nullptr;
}

bool fill(Library &library, std::string &why) {
    void *opened = open_first(why);
    if (opened == nullptr) {
        why = "libmf_smem.so is not found (pip install mf_smem, or set MF_SMEM_LIBRARY): " + why;
        return false;
    }
#define MF_LOAD(name)                                                                                                  \
    if (library.name = reinterpret_cast<decltype(library.name)>(dlsym(opened, #name)); library.name == nullptr) {      \
        why = "libmf_smem.so has no function " #name ": it is of another version";                                    \
        return false;                                                                                                  \
    }
    MF_FUNCTIONS(MF_LOAD)
#undef MF_LOAD
    return true;
}

}  // namespace

std::string Library::last_error() const {
    const char *text = smem_get_last_err_msg();
    return text == nullptr ? "" : text;
}

const Library *open_library(std::string &why) {
    static std::mutex opening;
    static Library library;
    static bool is_open = false;
    std::lock_guard<std::mutex> guard(opening);
    if (!is_open) is_open = fill(library, why);
    return is_open ? &library : nullptr;
}

}  // namespace mf
