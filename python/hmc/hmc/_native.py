# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The functions of HMC of the extension of ``mf_smem``; their types are in the stub beside this file."""

from mf_smem import _mf_smem

globals().update({name: value for name, value in vars(_mf_smem.hmc).items() if not name.startswith("_")})
