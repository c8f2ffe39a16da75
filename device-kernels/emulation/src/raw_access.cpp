// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "core.h"
#include "traps.h"

namespace mf::emulation {

bool leave_at_raw_access(const siginfo_t &info, void *)
{
    Core *here = running;
    const uint64_t address = reinterpret_cast<uint64_t>(info.si_addr);
    // A positive code means that the processor refused an access, and no process sent the signal.
    if (here == nullptr || here->escape == nullptr || info.si_code <= 0 || address >= LOWEST_ADDRESS)
        return false;
    here->escape->address = address;
    siglongjmp(here->escape->place, 1);
}

} // namespace mf::emulation
