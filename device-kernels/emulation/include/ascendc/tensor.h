// SPDX-License-Identifier: Apache-2.0 OR MIT
// GlobalTensor and LocalTensor: typed views of global memory and of a core's own memories. They own nothing.
#pragma once

#include <cstring>

#include "position.h"

namespace mf::emulation {

// What a GlobalTensor is without its type.
struct GlobalRange {
    uint64_t address = 0;
    uint64_t buffer_begin = 0;
    uint64_t buffer_bytes = 0; // 0: SetGlobalBuffer did not say

    Access access(Mode mode, uint64_t bytes, uint32_t rows = 1, uint64_t step = 0) const {
        return {Space::Global, mode, address, bytes, rows, step, buffer_begin, buffer_bytes};
    }
};

// What a LocalTensor is without its type: a place in a buffer of one of the core's memories.
struct LocalRange {
    Space space = Space::Ub;
    uint32_t offset = 0; // in the memory
    uint32_t buffer_begin = 0;
    uint32_t buffer_end = 0; // 0: the tensor has no memory

    Access access(Mode mode, uint64_t bytes, uint32_t rows = 1, uint64_t step = 0) const {
        return {space, mode, offset, bytes, rows, step};
    }
};

// A value that a scalar instruction reads or writes through the data cache.
void read_scalar(const GlobalRange &tensor, uint64_t index, uint32_t bytes, void *to, Site at);
void write_scalar(const GlobalRange &tensor, uint64_t index, uint32_t bytes, const void *from, Site at);
// The same in local memory, in place: checked, then where it is.
uint8_t *scalar(const char *name, Mode mode, const LocalRange &tensor, uint64_t index, uint32_t bytes, Site at);
// An operand of a call: `bytes` bytes from the tensor's beginning lie in its buffer (K5), and it begins at a multiple of
// `alignment` (K4). `what` is the parameter's name.
void check_local(const char *name, const char *what, const LocalRange &tensor, uint64_t bytes, uint32_t alignment, Site at);
// Where a raw pointer to the unified buffer points: kernels make one of GetPhyAddr(), which is an offset; a pointer into
// the host's memory of the buffer is good too.
uint32_t ub_offset(const void *pointer, Site at = MF_HERE);

} // namespace mf::emulation

namespace AscendC {

// How copies use the second level cache: no effect here.
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT };

template <typename T> class GlobalTensor : public mf::emulation::GlobalRange {
  public:
    using PrimType = T;

    GlobalTensor() = default;

    void SetGlobalBuffer(__gm__ T *buffer, uint64_t elements) {
        SetGlobalBuffer(buffer);
        buffer_bytes = elements * sizeof(T);
        elements_ = elements;
    }
    void SetGlobalBuffer(__gm__ T *buffer) {
        address = reinterpret_cast<uint64_t>(buffer);
        buffer_begin = address;
        buffer_bytes = 0;
        elements_ = 0;
    }

    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor part = *this;
        part.address += offset * sizeof(T);
        part.elements_ = offset < elements_ ? elements_ - offset : 0;
        return part;
    }
    __gm__ T *GetPhyAddr() const { return reinterpret_cast<__gm__ T *>(address); }
    __gm__ T *GetPhyAddr(uint64_t offset) const { return GetPhyAddr() + offset; }
    // Elements from here to the end of the buffer; 0 where SetGlobalBuffer did not say.
    uint64_t GetSize() const { return elements_; }

    // Through the data cache of the core: see cache.h.
    T GetValue(uint64_t index, mf::emulation::Site at = MF_HERE) const {
        T value;
        mf::emulation::read_scalar(*this, index, sizeof(T), &value, at);
        return value;
    }
    void SetValue(uint64_t index, T value, mf::emulation::Site at = MF_HERE) const {
        mf::emulation::write_scalar(*this, index, sizeof(T), &value, at);
    }
    void SetL2CacheHint(CacheMode) {}

  private:
    uint64_t elements_ = 0;
};

template <typename T> class LocalTensor : public mf::emulation::LocalRange {
  public:
    using PrimType = T;

    // What operator() gives: an element that can be read and assigned.
    class Reference {
      public:
        Reference(const LocalTensor &tensor, uint32_t index, mf::emulation::Site at) : tensor_(tensor), index_(index), at_(at) {}
        Reference(const Reference &) = default;
        operator T() const { return tensor_.GetValue(index_, at_); }
        Reference &operator=(T value) {
            tensor_.SetValue(index_, value, at_);
            return *this;
        }
        Reference &operator=(const Reference &other) { return *this = static_cast<T>(other); }
        Reference &operator+=(T value) { return *this = static_cast<T>(static_cast<T>(*this) + value); }
        Reference &operator-=(T value) { return *this = static_cast<T>(static_cast<T>(*this) - value); }

      private:
        const LocalTensor &tensor_;
        uint32_t index_;
        mf::emulation::Site at_;
    };

    LocalTensor() = default;
    // Memory of the kernel's own choice, without TPipe: `address` is an offset in the memory of `position`.
    LocalTensor(TPosition position, uint32_t address, uint32_t elements, mf::emulation::Site at = MF_HERE)
        : elements_(elements), position_(position) {
        space = mf::emulation::space_of(position);
        offset = address;
        buffer_begin = address;
        buffer_end = address + elements * static_cast<uint32_t>(sizeof(T));
        mf::emulation::check_local("LocalTensor", "address", *this, uint64_t{elements} * sizeof(T), 32, at);
    }

    LocalTensor operator[](uint32_t first) const {
        LocalTensor part = *this;
        part.offset += first * static_cast<uint32_t>(sizeof(T));
        part.elements_ = first < elements_ ? elements_ - first : 0;
        return part;
    }
    T GetValue(uint32_t index, mf::emulation::Site at = MF_HERE) const {
        using namespace mf::emulation;
        T value;
        std::memcpy(&value, scalar("GetValue", Mode::Read, *this, index, sizeof(T), at), sizeof(T));
        return value;
    }
    template <typename V> void SetValue(uint32_t index, V value, mf::emulation::Site at = MF_HERE) const {
        using namespace mf::emulation;
        T element = static_cast<T>(value);
        std::memcpy(scalar("SetValue", Mode::Write, *this, index, sizeof(T), at), &element, sizeof(T));
    }
    Reference operator()(uint32_t index, mf::emulation::Site at = MF_HERE) const { return {*this, index, at}; }

    template <typename U> LocalTensor<U> ReinterpretCast() const {
        LocalTensor<U> other;
        static_cast<mf::emulation::LocalRange &>(other) = *this;
        other.elements_ = static_cast<uint32_t>(uint64_t{elements_} * sizeof(T) / sizeof(U));
        other.position_ = position_;
        return other;
    }
    // The offset in the memory. A raw pointer made of it names the place, but cannot be dereferenced on the host.
    uint64_t GetPhyAddr() const { return offset; }
    uint64_t GetPhyAddr(uint32_t index) const { return offset + uint64_t{index} * sizeof(T); }
    uint32_t GetSize() const { return elements_; }
    // Elements that GetSize() says from now on. No call depends on it.
    void SetSize(uint32_t elements) { elements_ = elements; }
    TPosition GetPosition() const { return position_; }

  private:
    template <typename U> friend class LocalTensor;
    friend struct LocalTensorMaker;

    uint32_t elements_ = 0;
    TPosition position_ = TPosition::VECCALC;
};

// How buffers and queues make tensors.
struct LocalTensorMaker {
    template <typename T>
    static LocalTensor<T> make(TPosition position, const mf::emulation::LocalRange &range, uint32_t elements) {
        LocalTensor<T> tensor;
        static_cast<mf::emulation::LocalRange &>(tensor) = range;
        tensor.elements_ = elements;
        tensor.position_ = position;
        return tensor;
    }
};

} // namespace AscendC
