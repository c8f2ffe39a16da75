// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tensors of AscendC::Te: a place in a memory with a layout.
#pragma once

#include "../tensor.h"
#include "layouts.h"

namespace AscendC::Te {

enum class Location : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, L0ScaleA, L0ScaleB };

} // namespace AscendC::Te

namespace mf::emulation {

constexpr AscendC::TPosition position_of(AscendC::Te::Location location) {
    using AscendC::TPosition;
    using AscendC::Te::Location;
    switch (location) {
    case Location::GM: return TPosition::GM;
    case Location::L1: return TPosition::A1;
    case Location::L0A: return TPosition::A2;
    case Location::L0B: return TPosition::B2;
    case Location::L0C: return TPosition::CO1;
    case Location::BIAS: return TPosition::C2;
    case Location::FIXBUF: return TPosition::C2PIPE2GM;
    default: return TPosition::VECCALC;
    }
}

} // namespace mf::emulation

namespace AscendC::Te {

// A place: in global memory an address, elsewhere bytes from the memory's beginning.
template <Location location, typename T> struct MemPtr {
    using Element = T;
    static constexpr Location ptrPattern = location;
    static_assert(location != Location::L0ScaleA && location != Location::L0ScaleB,
                  "MakeMemPtr: the simulator has no memories of scales");

    uint64_t address = 0;

    constexpr MemPtr operator+(uint64_t elements) const { return {address + elements * sizeof(T)}; }
};

template <Location location, typename T> constexpr MemPtr<location, T> MakeMemPtr(uint64_t address) { return {address}; }
template <typename T> MemPtr<Location::GM, T> MakeMemPtr(__gm__ T *address) {
    return {reinterpret_cast<uint64_t>(address)};
}

template <typename Iterator, typename LayoutType> class Tensor {
  public:
    using Element = typename Iterator::Element;
    using Pattern = typename LayoutType::Pattern;
    static constexpr Te::Location location = Iterator::ptrPattern;

    Tensor(const Iterator &data, const LayoutType &layout) : data_(data), layout_(layout) {}

    const Iterator &Data() const { return data_; }
    const LayoutType &Layout() const { return layout_; }
    // The rows and columns from a coordinate on. In fractals both begin at one.
    template <typename Coord, typename Shape> auto Slice(const Coord &coord, const Shape &shape) const {
        const auto part = part_of(shape);
        return Tensor<Iterator, std::decay_t<decltype(part)>>(data_ + layout_(coord), part);
    }
    template <typename Coord> auto operator[](const Coord &coord) const {
        const Iterator at = data_ + layout_(coord);
        return Tensor<Iterator, LayoutType>(at, layout_);
    }

    // As the other calls take it: all that the layout spans.
    operator mf::emulation::LocalRange() const {
        static_assert(location != Te::Location::GM, "the tensor is in global memory");
        const uint32_t count = static_cast<uint32_t>(layout_.Cosize());
        return LocalTensor<Element>(mf::emulation::position_of(location), static_cast<uint32_t>(data_.address), count);
    }
    operator mf::emulation::GlobalRange() const {
        static_assert(location == Te::Location::GM, "the tensor is in a local memory");
        GlobalTensor<Element> whole;
        whole.SetGlobalBuffer(reinterpret_cast<__gm__ Element *>(data_.address));
        return whole;
    }

  private:
    template <typename Shape> auto part_of(const Shape &shape) const {
        const uint32_t rows = static_cast<uint32_t>(SizeOf(std::get<0>(shape)));
        const uint32_t columns = static_cast<uint32_t>(SizeOf(std::get<1>(shape)));
        if constexpr (is_tuple<std::decay_t<decltype(std::get<0>(layout_.Shape()))>>) {
            const auto row = Get<0, 0>(layout_.Shape()), column = Get<1, 0>(layout_.Shape());
            using mf::emulation::pieces;
            const auto part = MakeShape(MakeShape(row, pieces(rows, row)), MakeShape(column, pieces(columns, column)));
            return Te::Layout<std::decay_t<decltype(part)>, std::decay_t<decltype(layout_.Stride())>, Pattern>(part, layout_.Stride());
        } else {
            const auto part = MakeShape(rows, columns);
            return Te::Layout<std::decay_t<decltype(part)>, std::decay_t<decltype(layout_.Stride())>, Pattern>(part, layout_.Stride());
        }
    }

    Iterator data_;
    LayoutType layout_;
};

template <typename Iterator, typename LayoutType> auto MakeTensor(const Iterator &data, const LayoutType &layout) {
    return Tensor<Iterator, LayoutType>(data, layout);
}
template <typename Iterator, typename LayoutType, typename Coord, typename Shape>
auto Slice(const Tensor<Iterator, LayoutType> &tensor, const Coord &coord, const Shape &shape) {
    return tensor.Slice(coord, shape);
}

} // namespace AscendC::Te
