// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls that synchronise, for tests that leave them out one by one:
//
//     ASCEND_SIM_SITES=PATH           each such call that a kernel makes is noted in the file once, as
//     "FILE:LINE NAME" ASCEND_SIM_LEAVE_OUT=FILE:LINE  the calls there do nothing
#pragma once

namespace mf::emulation {

// Writes the recorded sites of the calling thread's core to the file when the core has finished.
void note_sites();

} // namespace mf::emulation
