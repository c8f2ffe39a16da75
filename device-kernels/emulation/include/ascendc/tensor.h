// SPDX-License-Identifier: Apache-2.0 OR MIT
// GlobalTensor and LocalTensor: typed views of global memory and of a core's own memories. They own nothing.
#pragma once

#include <cstring>

#include "position.h"
#include "shape.h"
#include "small_types.h"
#include "types.h"

namespace mf::emulation {

// Untyped part of a GlobalTensor.
struct GlobalRange {
    uint64_t address = 0;
    uint64_t buffer_begin = 0;
    uint64_t buffer_bytes = 0; // 0: SetGlobalBuffer did not say

    Access access(Mode mode, uint64_t bytes, uint32_t rows = 1, uint64_t step = 0) const {
        return {Space::Global, mode, address, bytes, rows, step, buffer_begin, buffer_bytes};
    }
};

// Untyped part of a LocalTensor, without its address: a range of a buffer in one of the core's memories.
struct LocalRange {
    Space space = Space::Ub;
    uint32_t offset = 0; // in the memory
    uint32_t buffer_begin = 0;
    uint32_t buffer_end = 0; // 0: the tensor has no memory

    Access access(Mode mode, uint64_t bytes, uint32_t rows = 1, uint64_t step = 0) const {
        return {space, mode, offset, bytes, rows, step};
    }
};

// Ends the kernel if it uses a tensor of int4b_t, which has two elements in a byte. Templates of others name
// such tensors without using them.
template <typename T> void refuse_packed(Site at = MF_HERE) {
    if constexpr (std::is_same_v<T, int4b_t>)
        fault("K6", at, "tensors of int4b_t are not supported: use the bytes, as uint8_t");
}

// A value that a scalar instruction reads or writes through the data cache.
void read_scalar(const GlobalRange &tensor, uint64_t index, uint32_t bytes, void *to, Site at);
void write_scalar(const GlobalRange &tensor, uint64_t index, uint32_t bytes, const void *from, Site at);
// The same in local memory, in place: checked, then where it is.
uint8_t *scalar(const char *name, Mode mode, const LocalRange &tensor, uint64_t index, uint32_t bytes, Site at);
// Returns an element for access through a reference. The next call detects a write by comparing the value.
uint8_t *scalar_reference(const LocalRange &tensor, uint64_t index, uint32_t bytes, Site at);
// An operand of a call: `bytes` bytes from the tensor's beginning lie in its buffer (K5), and it begins at a
// multiple of
// `alignment` (K4). `what` is the parameter's name.
void check_local(const char *name, const char *what, const LocalRange &tensor, uint64_t bytes, uint32_t alignment, Site at);
// Addresses of local memory as kernels see them, in GetPhyAddr() and bufferAddr: numbers of 32 bits. On the
// device they are offsets. Here they are addresses of the host, below 4 GiB, so that a pointer made of one
// may be followed; offsets that a kernel has made up are understood, too.
uint32_t address_of(Space space, uint32_t offset);
uint32_t offset_of(Space space, uint64_t address);
// The offset that a raw pointer to a local memory, or to the unified buffer, means.
uint32_t local_offset(Space space, const void *pointer, Site at);
uint32_t ub_offset(const void *pointer, Site at = MF_HERE);

} // namespace mf::emulation

namespace AscendC {

// Use of the second level cache by copies: no effect here.
enum class CacheMode : int {
    CACHE_MODE_DISABLE = 0,
    CACHE_MODE_NORMAL = 1,
    CACHE_MODE_LAST = 2,
    CACHE_MODE_PERSISTENT = 4,
};
enum class CacheRwMode : int { READ = 1, WRITE = 2, RW = 3 };

template <typename T> class BaseGlobalTensor {
  public:
    using PrimType = T;

    __gm__ T *address_ = nullptr;
    __gm__ T *oriAddress_ = nullptr;
};

template <typename T> class GlobalTensor : public BaseGlobalTensor<T> {
  public:
    using PrimType = T;

    GlobalTensor() = default;

    void SetGlobalBuffer(__gm__ T *buffer, uint64_t bufferSize) {
        SetGlobalBuffer(buffer);
        bufferSize_ = bufferSize;
        bytes_ = bufferSize * sizeof(T);
    }
    void SetGlobalBuffer(__gm__ T *buffer) {
        this->address_ = this->oriAddress_ = buffer;
        begin_ = reinterpret_cast<uint64_t>(buffer);
        bytes_ = 0;
        bufferSize_ = 0;
    }

    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor part = *this;
        part.address_ = part.oriAddress_ = at_element(offset);
        part.bufferSize_ = offset < bufferSize_ ? bufferSize_ - offset : 0;
        return part;
    }
    const __gm__ T *GetPhyAddr() const { return this->address_; }
    __gm__ T *GetPhyAddr(uint64_t offset) const { return at_element(offset); }
    // Elements from here to the end of the buffer; 0 where SetGlobalBuffer did not say.
    uint64_t GetSize() const { return bufferSize_; }
#if MF_NPU_ARCH == 3510
    template <typename U> GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> other;
        other.address_ = other.oriAddress_ = reinterpret_cast<__gm__ U *>(this->address_);
        other.bufferSize_ = bufferSize_ * sizeof(T) / sizeof(U);
        other.begin_ = begin_;
        other.bytes_ = bytes_;
        return other;
    }
#endif

    // Through the data cache of the core: see cache.h.
    T GetValue(uint64_t offset, mf::emulation::Site at = MF_HERE) const {
        T value;
        mf::emulation::read_scalar(*this, offset, sizeof(T), &value, at);
        return value;
    }
    void SetValue(uint64_t offset, T value, mf::emulation::Site at = MF_HERE) {
        mf::emulation::write_scalar(*this, offset, sizeof(T), &value, at);
    }
    // Past the cache that is emulated, and unchecked: as a raw pointer.
    __gm__ T &operator()(uint64_t offset) const { return *at_element(offset); }
    template <CacheRwMode rwMode = CacheRwMode::RW> void SetL2CacheHint(CacheMode mode) { cacheMode_ = mode; }
    void SetShapeInfo(const ShapeInfo &shapeInfo) { shapeInfo_ = shapeInfo; }
    ShapeInfo GetShapeInfo() const { return shapeInfo_; }

    operator mf::emulation::GlobalRange() const {
        mf::emulation::refuse_packed<T>();
        return {reinterpret_cast<uint64_t>(this->address_), begin_, bytes_};
    }

    uint64_t bufferSize_ = 0;
    ShapeInfo shapeInfo_;
    CacheMode cacheMode_ = CacheMode::CACHE_MODE_NORMAL;

  private:
    template <typename U> friend class GlobalTensor;

    // A number, because the address need not belong to an object of the host.
    __gm__ T *at_element(uint64_t offset) const {
        return reinterpret_cast<__gm__ T *>(reinterpret_cast<uint64_t>(this->address_) + offset * sizeof(T));
    }

    // Values of SetGlobalBuffer, the same for each part of the tensor.
    uint64_t begin_ = 0;
    uint64_t bytes_ = 0;
};

using TBufHandle = uint8_t *;

// Address of a local tensor, which kernels may read and write.
struct TBuffAddr {
    uint32_t dataLen = 0;    // bytes
    uint32_t bufferAddr = 0; // the place in its memory
    TBufHandle bufferHandle = nullptr;
    uint8_t logicPos = 0;    // TPosition
};

template <typename T> class BaseLocalTensor {
  public:
    using PrimType = T;

    void SetAddr(const TBuffAddr &bufferAddr) { address_ = bufferAddr; }
    TBufHandle GetBufferHandle() const { return address_.bufferHandle; }

    TBuffAddr address_;
};

} // namespace AscendC

namespace mf::emulation {

// Resolves the address of a tensor. `buffer` is the enclosing buffer if AllocTensor, Get or another tensor
// created it; otherwise the kernel wrote the address itself, and its length counts.
LocalRange range_of(const AscendC::TBuffAddr &address, const LocalRange &buffer);

} // namespace mf::emulation

namespace AscendC {

// Right-hand side of `dst = a + b` (operators.h).
template <typename T> struct PlacedTensor;
template <typename T> struct SymbolOverrideAdd;
template <typename T> struct SymbolOverrideSub;
template <typename T> struct SymbolOverrideMul;
template <typename T> struct SymbolOverrideDiv;
template <typename T> struct SymbolOverrideOr;
template <typename T> struct SymbolOverrideAnd;
template <typename T> struct SymbolOverrideCompare;

template <typename T> class LocalTensor : public BaseLocalTensor<T> {
  public:
    using PrimType = T;

    LocalTensor() = default;
    // Memory of the kernel's own choice, without TPipe: `addr` is an offset in the memory of `pos`. Not in
    // CANN 8.1.
    LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize, mf::emulation::Site at = MF_HERE) {
        const mf::emulation::Space space = mf::emulation::space_of(pos);
        const uint32_t offset = mf::emulation::offset_of(space, addr);
        this->address_ = {tileSize * static_cast<uint32_t>(sizeof(T)), mf::emulation::address_of(space, offset), nullptr,
                          static_cast<uint8_t>(pos)};
        mf::emulation::check_local("LocalTensor", "address", *this, uint64_t{tileSize} * sizeof(T), 32, at);
    }

    LocalTensor operator[](uint32_t offset) const {
        LocalTensor part = *this;
        const uint32_t bytes = offset * static_cast<uint32_t>(sizeof(T)), length = this->address_.dataLen;
        part.buffer_ = mf::emulation::range_of(this->address_, buffer_);
        part.address_.bufferAddr += bytes;
        part.address_.dataLen = bytes < length ? length - bytes : 0;
        return part;
    }
    T GetValue(uint32_t index, mf::emulation::Site at = MF_HERE) const {
        using namespace mf::emulation;
        T value;
        std::memcpy(&value, scalar("GetValue", Mode::Read, *this, index, sizeof(T), at), sizeof(T));
        return value;
    }
    template <typename S> void SetValue(uint32_t index, S value, mf::emulation::Site at = MF_HERE) const {
        using namespace mf::emulation;
        T element = static_cast<T>(value);
        std::memcpy(scalar("SetValue", Mode::Write, *this, index, sizeof(T), at), &element, sizeof(T));
    }
    __ubuf__ T &operator()(uint32_t offset, mf::emulation::Site at = MF_HERE) const {
        return *reinterpret_cast<__ubuf__ T *>(mf::emulation::scalar_reference(*this, offset, sizeof(T), at));
    }

    template <typename U> LocalTensor<U> ReinterpretCast() const {
        LocalTensor<U> other;
        other.address_ = this->address_;
        other.buffer_ = buffer_;
        return other;
    }
    // `offset` bytes into another tensor.
    template <typename S> void SetAddrWithOffset(LocalTensor<S> &src, uint32_t offset) {
        *this = src.template ReinterpretCast<uint8_t>()[offset].template ReinterpretCast<T>();
    }
    uint64_t GetPhyAddr() const { return this->address_.bufferAddr; }
    uint64_t GetPhyAddr(uint32_t offset) const { return GetPhyAddr() + uint64_t{offset} * sizeof(T); }
    uint32_t GetSize() const { return this->address_.dataLen / static_cast<uint32_t>(sizeof(T)); }
    uint32_t GetLength() const { return this->address_.dataLen; }
    // Sets the result of GetSize() and GetLength(). No call depends on it, except the bounds of a tensor with
    // an address written by the kernel.
    void SetSize(uint32_t size) { SetBufferLen(size * static_cast<uint32_t>(sizeof(T))); }
    void SetBufferLen(uint32_t dataLen) { this->address_.dataLen = dataLen; }
    int32_t GetPosition() const { return this->address_.logicPos; }
    void SetShapeInfo(const ShapeInfo &shapeInfo) { shapeInfo_ = shapeInfo; }
    ShapeInfo GetShapeInfo() const { return shapeInfo_; }

    ShapeInfo shapeInfo_;

    operator mf::emulation::LocalRange() const {
        mf::emulation::refuse_packed<T>();
        return mf::emulation::range_of(this->address_, buffer_);
    }

#define MF_OPERATOR(NAME, SIGN)                                                                                        \
    SymbolOverride##NAME<T> operator SIGN(const PlacedTensor<T> &src1) const;                                          \
    void operator=(const SymbolOverride##NAME<T> &of);
    MF_OPERATOR(Add, +)
    MF_OPERATOR(Sub, -)
    MF_OPERATOR(Mul, *)
    MF_OPERATOR(Div, /)
    MF_OPERATOR(Or, |)
    MF_OPERATOR(And, &)
#undef MF_OPERATOR
    SymbolOverrideCompare<T> operator<(const PlacedTensor<T> &src1) const;
    SymbolOverrideCompare<T> operator>(const PlacedTensor<T> &src1) const;
    SymbolOverrideCompare<T> operator<=(const PlacedTensor<T> &src1) const;
    SymbolOverrideCompare<T> operator>=(const PlacedTensor<T> &src1) const;
    SymbolOverrideCompare<T> operator==(const PlacedTensor<T> &src1) const;
    SymbolOverrideCompare<T> operator!=(const PlacedTensor<T> &src1) const;
    void operator=(const SymbolOverrideCompare<float> &of);
    void operator=(const SymbolOverrideCompare<half> &of);

  private:
    template <typename U> friend class LocalTensor;
    friend struct LocalTensorMaker;

    mf::emulation::LocalRange buffer_;
};

// The right operand, with the place of the expression.
template <typename T> struct PlacedTensor {
    LocalTensor<T> tensor;
    mf::emulation::Site at;
    PlacedTensor(const LocalTensor<T> &of, mf::emulation::Site place = MF_HERE) : tensor(of), at(place) {}
};
#define MF_OPERATION(NAME)                                                                                             \
    template <typename T> struct SymbolOverride##NAME {                                                                \
        LocalTensor<T> src0, src1;                                                                                     \
        mf::emulation::Site at;                                                                                        \
    };
MF_OPERATION(Add)
MF_OPERATION(Sub)
MF_OPERATION(Mul)
MF_OPERATION(Div)
MF_OPERATION(Or)
MF_OPERATION(And)
#undef MF_OPERATION
enum class CMPMODE : uint8_t;
template <typename T> struct SymbolOverrideCompare {
    LocalTensor<T> src0, src1;
    CMPMODE mode;
    mf::emulation::Site at;
};

// Creates tensors for buffers and queues.
struct LocalTensorMaker {
    template <typename T>
    static LocalTensor<T> make(TPosition position, const mf::emulation::LocalRange &range, uint32_t elements) {
        LocalTensor<T> tensor;
        tensor.address_ = {elements * static_cast<uint32_t>(sizeof(T)),
                           mf::emulation::address_of(range.space, range.offset), nullptr, static_cast<uint8_t>(position)};
        tensor.buffer_ = range;
        return tensor;
    }
};

} // namespace AscendC
