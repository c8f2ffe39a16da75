// SPDX-License-Identifier: Apache-2.0 OR MIT
// The host's half of mf_kernel.h: entries that the simulator finds and calls.
#pragma once

#include "../../src/engine.h"
#include "../../src/launch.h"

#ifdef MF_FRONT
// For `mf kernel build`, which writes the entry: vector cores for each cube core, or a kind.
#define MF_KERNEL(name, ...) __mf_kernel__(vector, name, __VA_ARGS__)
#define MF_KERNEL_CUBE(name, ...) __mf_kernel__(cube, name, __VA_ARGS__)
#define MF_KERNEL_MIX(ratio, name, ...) __mf_kernel__(ratio, name, __VA_ARGS__)
#else
#define MF_KERNEL(name, ...) MF_EMULATION_ENTRY(name, ::mf::emulation::Kind::Vector, 0, __VA_ARGS__)
#define MF_KERNEL_CUBE(name, ...) MF_EMULATION_ENTRY(name, ::mf::emulation::Kind::Cube, 0, __VA_ARGS__)
#define MF_KERNEL_MIX(ratio, name, ...) MF_EMULATION_ENTRY(name, ::mf::emulation::Kind::Mixed, ratio, __VA_ARGS__)
#endif

#define MF_SITE_PARAM , ::mf::emulation::Site at = MF_HERE
#define MF_SITE , at
