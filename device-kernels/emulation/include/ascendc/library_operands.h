// SPDX-License-Identifier: Apache-2.0 OR MIT
// Operands of the library functions: tensors as elements, and a call that touches them.
//
// A call that follows declares its sources first, then its destinations, and runs its work when the vector
// pipe gets there. Temporary buffers are not touched: they keep their contents.
#pragma once

#include "elements.h"

namespace mf::emulation {

template <typename T> struct Elements {
    LocalRange range;

    Elements() = default;
    Elements(const AscendC::LocalTensor<T> &tensor) : range(tensor) {}

    // For the bodies of instructions.
    Computed<T> at(uint64_t index) const { return element<T>(local(Space::Ub, range.offset), index); }
    double number(uint64_t index) const { return static_cast<double>(at(index)); }
    template <typename V> void set(uint64_t index, V value) const {
        set_element<T>(local(Space::Ub, range.offset), index, value);
    }
};

// A tensor, or a number that stands for each of its elements.
template <typename T> struct ElementsOrNumber {
    Elements<T> elements;
    Computed<T> one{};
    bool is_number;

    ElementsOrNumber(const AscendC::LocalTensor<T> &tensor) : elements(tensor), is_number(false) {}
    template <typename N, std::enable_if_t<std::is_convertible_v<N, T>, int> = 0>
    ElementsOrNumber(const N &number) : one(static_cast<Computed<T>>(static_cast<T>(number))), is_number(true) {}

    // As it is computed: a float for half, not rounded to it.
    static ElementsOrNumber of_number(Computed<T> number) {
        ElementsOrNumber made(T{});
        made.one = number;
        return made;
    }

    Computed<T> at(uint64_t index) const { return is_number ? one : elements.at(index); }
};

// The type of the elements of a tensor or number.
template <typename T> struct SourceOf {
    using Type = T;
    static constexpr bool is_tensor = false;
};
template <typename T> struct SourceOf<AscendC::LocalTensor<T>> {
    using Type = T;
    static constexpr bool is_tensor = true;
};

// Dependent on the function's type, so that the assertion is made where the function is called.
template <typename T> constexpr bool is_on_950 = IS_950;

class LibraryCall {
  public:
    // `apart`: destinations and sources must not overlap, not even as the same tensor (K6).
    explicit LibraryCall(const Call &call, bool apart = false) : call_(call), touched_(call), apart_(apart) {}

    template <typename T> LibraryCall &reads(const char *what, const Elements<T> &tensor, uint64_t elements) {
        return add(what, Mode::Read, tensor.range, elements * sizeof(T));
    }
    template <typename T> LibraryCall &reads(const char *what, const ElementsOrNumber<T> &tensor, uint64_t elements) {
        return tensor.is_number ? *this : reads(what, tensor.elements, elements);
    }
    template <typename T> LibraryCall &writes(const char *what, const Elements<T> &tensor, uint64_t elements) {
        return add(what, Mode::Write, tensor.range, elements * sizeof(T));
    }
    template <typename Work> void run(const Work &work) { touched_.run(work); }

  private:
    struct Part {
        const char *what;
        Mode mode;
        uint64_t begin, end;
    };
    LibraryCall &add(const char *what, Mode mode, const LocalRange &range, uint64_t bytes) {
        touched_.add(what, mode, range, bytes);
        const Part part = {what, mode, range.offset, range.offset + bytes};
        for (const Part &other : parts_) {
            const bool both_read = mode == Mode::Read && other.mode == Mode::Read;
            const bool is_same = part.begin == other.begin && mode != other.mode && !apart_;
            if (both_read || is_same || part.begin >= other.end || other.begin >= part.end) continue;
            fault("K6", call_.at, "%s: %s overlaps %s", call_.name, what, other.what);
        }
        parts_.push_back(part);
        return *this;
    }

    Call call_;
    Touched touched_;
    bool apart_;
    std::vector<Part> parts_;
};

// Rows in the unified buffer are whole blocks of 32 bytes.
template <typename T> constexpr uint32_t padded_row(uint32_t columns) {
    return static_cast<uint32_t>((uint64_t{columns} * sizeof(T) + 31) / 32 * 32 / sizeof(T));
}

} // namespace mf::emulation

// The parts of a parameter list that a form of a function has or lacks: MF_FORM_TMP of MF_EACH_FORM(F), which
// makes F with and without.
#define MF_FORM_LIST(...) __VA_ARGS__
#define MF_FORM_TMP (, const LocalTensor<uint8_t> &)
#define MF_EACH_FORM(F)                                                                                                \
    F(MF_FORM_TMP)                                                                                                     \
    F(())
