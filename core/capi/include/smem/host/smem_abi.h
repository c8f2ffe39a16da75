/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Interface that a program is compiled for, in the macro MF_SMEM_ABI: undefined is release 1.3, 2025 the
 * interface of mid-2025 (compat2025/), next the next release as far as it is known (next/).
 */
#ifndef MF_SMEM_ABI_H
#define MF_SMEM_ABI_H

#define MFX_ABI_JOIN(prefix, abi) prefix##abi
#define MFX_ABI_WORD(abi) MFX_ABI_JOIN(MFX_ABI_IS_, abi)
#define MFX_ABI_IS_next 1

/* True with MF_SMEM_ABI=next, in preprocessor conditions. */
#define MFX_ABI_NEXT (MFX_ABI_WORD(MF_SMEM_ABI) == 1)

#endif
