# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mooncake's Python API over mf_smem: the transfer engine in `mooncake.engine`, the store in `mooncake.store`.

Other distributions may add modules to this package.
"""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
