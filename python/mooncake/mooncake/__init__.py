# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mooncake's names over mf_smem: the transfer engine in `mooncake.engine`.

Other distributions may add modules to this package.
"""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
