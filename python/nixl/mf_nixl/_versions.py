# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The versions of NIXL that the plug-in is built for. Without an import: the package's build reads it, too."""

#: Minor versions with the vtable that the plug-in declares; there is a build for each.
VERSIONS = ("1.3", "1.4", "1.5")
