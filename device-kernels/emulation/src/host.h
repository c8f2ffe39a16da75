// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulator, as the emulation sees it: the table that it hands over when the binary is loaded, and device
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "ascend_sim_kernel.h"

namespace mf::emulation {

// The simulator's table; never null while a kernel runs.
const mfk_host &host();

// Calls body(pointer) while `bytes` bytes of device memory are kept in place. Whether the device may touch
// them so.
template <typename Body> bool visit(uint64_t address, uint64_t bytes, int access, Body &&body)
{
    auto call = [](void *where, void *context) { (*static_cast<std::remove_reference_t<Body> *>(context))(static_cast<uint8_t *>(where)); };
    return host().visit(address, bytes, access, call, &body) == 0;
}

// Bytes of device memory from an address on without a hole, at most `most`.
uint64_t reachable(uint64_t address, uint64_t most);

// "rank 3, byte 0x40 of share memory 0 (0x...)", or the simulator's words.
std::string name_of(uint64_t address);

// Returns true if it is in the line where kernels of a rank report a failed wait: concurrent writes are
// allowed there, since any of them is a report.
bool is_report(uint64_t address);

} // namespace mf::emulation
