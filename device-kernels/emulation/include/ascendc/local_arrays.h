// SPDX-License-Identifier: Apache-2.0 OR MIT
// Arrays that a kernel declares in a local memory. `mf kernel build` writes `__ubuf__ float x[64];` as
// `float (&x)[64] = LocalArray(…);`: the declarations of a core follow one another in its memory, each
// in the same place at every call of its function, on a multiple of 32 bytes (L0A and L0B: 512, L0C: 1024).
#pragma once

#include "../../src/engine.h"

namespace mf::emulation {

class LocalArray {
  public:
    // `declaration`: an address that is the declaration's alone.
    LocalArray(const char *declaration, Space space, const char *name, Site at = MF_HERE)
        : declaration_(declaration), space_(space), name_(name), at_(at) {}

    template <typename Array> operator Array &() const {
        return *static_cast<Array *>(local_array(declaration_, space_, name_, sizeof(Array), at_));
    }

  private:
    const char *declaration_;
    Space space_;
    const char *name_;
    Site at_;
};

// `extern __ubuf__ char all[];`: the memory behind the arrays of the core, as much as the launch gives.
class DynamicArray {
  public:
    explicit DynamicArray(Space space, Site at = MF_HERE) : space_(space), at_(at) {}

    template <typename Element> operator Element *() const { return static_cast<Element *>(dynamic_array(space_, at_)); }

  private:
    Space space_;
    Site at_;
};

// The next call, which cannot take a place, is here.
inline void note_place(Site at = MF_HERE) { set_latest_place(at); }

} // namespace mf::emulation
