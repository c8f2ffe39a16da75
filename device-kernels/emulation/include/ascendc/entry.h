// SPDX-License-Identifier: Apache-2.0 OR MIT
// The host's half of mf_kernel.h: entries that the simulator finds and calls.
#pragma once

#include "../../src/engine.h"
#include "../../src/launch.h"

#define MF_KERNEL(name, ...) MF_EMULATION_ENTRY(name, ::mf::emulation::Kind::Vector, 0, __VA_ARGS__)
#define MF_KERNEL_CUBE(name, ...) MF_EMULATION_ENTRY(name, ::mf::emulation::Kind::Cube, 0, __VA_ARGS__)
#define MF_KERNEL_MIX(ratio, name, ...) MF_EMULATION_ENTRY(name, ::mf::emulation::Kind::Mixed, ratio, __VA_ARGS__)

#define MF_SITE_PARAM , ::mf::emulation::Site at = MF_HERE
#define MF_SITE , at
