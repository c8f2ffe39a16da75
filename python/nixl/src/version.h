// SPDX-License-Identifier: Apache-2.0 OR MIT
// Which NIXL has loaded this plug-in. The version number in the plug-in structure has stayed 1 while the
// vtable changed, so it protects no caller; the metadata of the installed wheel does.
#pragma once

#include <string>

namespace mf {

// The version this plug-in was built for, "1.5".
std::string built_for();

// Version of the NIXL that is loaded in this process, "1.5.1": MF_NIXL_VERSION, else of the wheel that
// libnixl.so belongs to. Empty if there is neither.
std::string loaded_nixl();

// True if that is the minor version of this build; else prints on standard error which one it is.
bool is_loaded_by_its_nixl();

}  // namespace mf
