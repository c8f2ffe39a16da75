// SPDX-License-Identifier: Apache-2.0 OR MIT
// Shapes, strides and coordinates of AscendC::Te: tuples of numbers and constants, which may nest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../traits.h"

namespace AscendC::Te {

#define MF_CONSTANT(number) using _##number = Std::Int<number>;
MF_CONSTANT(0)
MF_CONSTANT(1)
MF_CONSTANT(2)
MF_CONSTANT(4)
MF_CONSTANT(8)
MF_CONSTANT(16)
MF_CONSTANT(32)
MF_CONSTANT(64)
MF_CONSTANT(128)
MF_CONSTANT(256)
MF_CONSTANT(512)
MF_CONSTANT(1024)
#undef MF_CONSTANT

template <typename... Parts> using Tuple = std::tuple<Parts...>;

template <typename... Parts> constexpr Tuple<Parts...> MakeShape(const Parts &...parts) { return {parts...}; }
template <typename... Parts> constexpr Tuple<Parts...> MakeStride(const Parts &...parts) { return {parts...}; }
template <typename... Parts> constexpr Tuple<Parts...> MakeTile(const Parts &...parts) { return {parts...}; }
template <typename... Parts> constexpr Tuple<Parts...> MakeCoord(const Parts &...parts) { return {parts...}; }

template <typename> inline constexpr bool is_tuple = false;
template <typename... Parts> inline constexpr bool is_tuple<Tuple<Parts...>> = true;

// The part at a place, and the part of that.
template <size_t index, size_t... more, typename... Parts> constexpr auto Get(const Tuple<Parts...> &tuple) {
    if constexpr (sizeof...(more) == 0)
        return std::get<index>(tuple);
    else
        return Get<more...>(std::get<index>(tuple));
}
template <size_t... indices, typename... Parts> constexpr auto Select(const Tuple<Parts...> &tuple) {
    return std::make_tuple(std::get<indices>(tuple)...);
}

// The product of all numbers.
template <typename Part> constexpr size_t SizeOf(const Part &part) {
    if constexpr (is_tuple<Part>)
        return std::apply([](const auto &...parts) { return (size_t{1} * ... * SizeOf(parts)); }, part);
    else
        return static_cast<size_t>(static_cast<uint32_t>(part));
}

// The sum of coordinates times strides; one coordinate of a tuple of sizes counts in the first of them, then
// in the next.
template <typename Coord, typename Shape, typename Stride>
constexpr size_t Crd2Idx(const Coord &coord, const Shape &shape, const Stride &stride);

template <typename Coord, typename Shape, typename Stride, size_t... at>
constexpr size_t IndexOfAll(const Coord &coord, const Shape &shape, const Stride &stride, std::index_sequence<at...>) {
    return (size_t{0} + ... + Crd2Idx(std::get<at>(coord), std::get<at>(shape), std::get<at>(stride)));
}
template <size_t from, typename Shape, typename Stride>
constexpr size_t IndexOfOne(size_t rest, const Shape &shape, const Stride &stride) {
    constexpr size_t COUNT = std::tuple_size_v<Shape>;
    if constexpr (from + 1 >= COUNT)
        return Crd2Idx(rest, std::get<from>(shape), std::get<from>(stride));
    else {
        const size_t size = SizeOf(std::get<from>(shape));
        return Crd2Idx(rest % size, std::get<from>(shape), std::get<from>(stride)) +
               IndexOfOne<from + 1>(rest / size, shape, stride);
    }
}
template <typename Coord, typename Shape, typename Stride>
constexpr size_t Crd2Idx(const Coord &coord, const Shape &shape, const Stride &stride) {
    if constexpr (is_tuple<Coord>) {
        static_assert(is_tuple<Shape> && std::tuple_size_v<Coord> == std::tuple_size_v<Shape>,
                      "the coordinate has another number of parts than the shape");
        return IndexOfAll(coord, shape, stride, std::make_index_sequence<std::tuple_size_v<Coord>>());
    } else if constexpr (is_tuple<Shape>)
        return IndexOfOne<0>(static_cast<size_t>(static_cast<uint32_t>(coord)), shape, stride);
    else
        return static_cast<size_t>(static_cast<uint32_t>(coord)) * static_cast<uint32_t>(stride);
}

} // namespace AscendC::Te
