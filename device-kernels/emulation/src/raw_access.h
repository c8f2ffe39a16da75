// SPDX-License-Identifier: Apache-2.0 OR MIT
// Raw pointers to local memory built from an offset, such as (__ubuf__ int32_t *)64. They are valid on the
// device; on the host nothing can be mapped there, because every core would need its own memory. Copies
// accept such pointers, but an access by the scalar code is refused by the host's processor and becomes a
// fault of the launch.
//
// For that a handler of SIGSEGV is installed while kernels run. It handles accesses below 256 MiB by threads
// that run a kernel, and passes all others to the previous handler.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdint>

namespace mf::emulation {

// The handler is there while one of these is, and this thread takes the signal: the simulator's threads take
// none.
class RawAccessGuard {
  public:
    RawAccessGuard();
    ~RawAccessGuard();
    RawAccessGuard(const RawAccessGuard &) = delete;
    RawAccessGuard &operator=(const RawAccessGuard &) = delete;

  private:
    sigset_t mask;
};

// Jump target of the handler, with the faulting address.
struct Escape {
    sigjmp_buf place;
    uint64_t address = 0;
};

} // namespace mf::emulation
