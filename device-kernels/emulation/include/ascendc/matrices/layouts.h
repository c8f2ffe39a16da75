// SPDX-License-Identifier: Apache-2.0 OR MIT
// Layouts of AscendC::Te: a shape with strides in elements, and the pattern that they were made by.
//
//   NZ   fractals by column, elements by row      ((16, r/16), (C, c/C)) : ((C, 16C), (1, C·r))
//   ZN   fractals by row, elements by column      ((C, r/C), (16, c/16)) : ((1, C·c), (C, 16C))
//   ZZ   both by row                              ((16, r/16), (C, c/C)) : ((C, 16·c), (1, 16C))
//   NDExt, DNExt: plain rows, plain columns       ((1, r), (1, c))
//
// r and c are rounded up to fractals; C are the elements of 32 bytes.
#pragma once

#include "../language.h"
#include "tuples.h"

namespace AscendC::Te {

struct NoPattern {};
struct NDLayoutPtn {};
struct DNLayoutPtn {};
struct NDExtLayoutPtn {};
struct DNExtLayoutPtn {};
struct NZLayoutPtn {};
struct ZNLayoutPtn {};
struct ZZLayoutPtn {};

template <typename T> struct LayoutTraitDefault {
    static constexpr size_t C0_ELEMENT = 32 / sizeof(T);
};
template <typename T, size_t elements = 32 / sizeof(T)> struct LayoutTrait {
    static constexpr size_t C0_ELEMENT = elements;
};

template <typename ShapeType, typename StrideType, typename PatternType = NoPattern> class Layout {
  public:
    using Pattern = PatternType;

    constexpr Layout(const ShapeType &shape, const StrideType &stride) : shape_(shape), stride_(stride) {}
    constexpr const ShapeType &Shape() const { return shape_; }
    constexpr const StrideType &Stride() const { return stride_; }
    constexpr size_t Size() const { return SizeOf(shape_); }
    // Elements from the first to behind the last.
    constexpr size_t Cosize() const { return Size() == 0 ? 0 : last(std::make_index_sequence<std::tuple_size_v<ShapeType>>()) + 1; }
    constexpr size_t Capacity() const { return Cosize(); }
    static constexpr size_t Rank() { return std::tuple_size_v<ShapeType>; }
    template <typename Coord> constexpr size_t operator()(const Coord &coord) const { return Crd2Idx(coord, shape_, stride_); }

  private:
    template <size_t... at> constexpr size_t last(std::index_sequence<at...>) const {
        return (size_t{0} + ... + Crd2Idx(SizeOf(std::get<at>(shape_)) - 1, std::get<at>(shape_), std::get<at>(stride_)));
    }
    ShapeType shape_;
    StrideType stride_;
};

template <typename Shape, typename Stride> constexpr auto MakeLayout(const Shape &shape, const Stride &stride) {
    return Layout<Shape, Stride>(shape, stride);
}
// Rows one after another, of a matrix.
template <typename Rows, typename Columns> constexpr auto MakeLayout(const Tuple<Rows, Columns> &shape) {
    return MakeLayout(shape, MakeStride(static_cast<uint32_t>(SizeOf(std::get<1>(shape))), _1{}));
}
template <typename Pattern, typename Trait, typename Shape, typename Stride>
constexpr auto MakePatternLayout(const Shape &shape, const Stride &stride) {
    return Layout<Shape, Stride, Pattern>(shape, stride);
}

template <typename S, typename D, typename P> constexpr size_t Size(const Layout<S, D, P> &layout) { return layout.Size(); }
template <typename S, typename D, typename P> constexpr size_t Rank(const Layout<S, D, P> &layout) { return layout.Rank(); }
template <typename S, typename D, typename P> constexpr size_t Capacity(const Layout<S, D, P> &layout) { return layout.Capacity(); }
template <typename S, typename D, typename P> constexpr size_t Cosize(const Layout<S, D, P> &layout) { return layout.Cosize(); }
template <size_t... at, typename S, typename D, typename P> constexpr auto Get(const Layout<S, D, P> &layout) {
    return Get<at...>(layout.Shape());
}

} // namespace AscendC::Te

namespace mf::emulation {

constexpr uint32_t pieces(uint32_t all, uint32_t each) { return (all + each - 1) / each; }

// Elements of C0 by the caller's argument: a constant, a type with the number, or the element type.
template <typename Named, typename = void> struct C0Of {
    static constexpr uint32_t value = 32 / sizeof(Named);
};
template <auto number> struct C0Of<AscendC::Std::Int<number>, void> {
    static constexpr uint32_t value = number;
};
template <typename Named> struct C0Of<Named, std::void_t<decltype(Named::C0_ELEMENT)>> {
    static constexpr uint32_t value = static_cast<uint32_t>(Named::C0_ELEMENT);
};

} // namespace mf::emulation

namespace AscendC::Te {

// The layout of a whole matrix. C0 of fractals: left out, of elements of 2 bytes.
template <typename Pattern, typename Trait = Std::Int<16>, typename Rows, typename Columns>
constexpr auto MakeFrameLayout(const Rows &rows, const Columns &columns) {
    using mf::emulation::pieces;
    const uint32_t r = static_cast<uint32_t>(rows), c = static_cast<uint32_t>(columns);
    constexpr uint32_t C = mf::emulation::C0Of<Trait>::value;
    using Block = Std::Int<C>;
    using Fractal = Std::Int<16 * C>;
    if constexpr (std::is_same_v<Pattern, NZLayoutPtn>)
        return MakePatternLayout<Pattern, Trait>(MakeShape(MakeShape(_16{}, pieces(r, 16)), MakeShape(Block{}, pieces(c, C))),
                                                 MakeStride(MakeStride(Block{}, Fractal{}), MakeStride(_1{}, C * 16 * pieces(r, 16))));
    else if constexpr (std::is_same_v<Pattern, ZNLayoutPtn>)
        return MakePatternLayout<Pattern, Trait>(MakeShape(MakeShape(Block{}, pieces(r, C)), MakeShape(_16{}, pieces(c, 16))),
                                                 MakeStride(MakeStride(_1{}, C * 16 * pieces(c, 16)), MakeStride(Block{}, Fractal{})));
    else if constexpr (std::is_same_v<Pattern, ZZLayoutPtn>)
        return MakePatternLayout<Pattern, Trait>(MakeShape(MakeShape(_16{}, pieces(r, 16)), MakeShape(Block{}, pieces(c, C))),
                                                 MakeStride(MakeStride(Block{}, 16 * C * pieces(c, C)), MakeStride(_1{}, Fractal{})));
    else if constexpr (std::is_same_v<Pattern, NDExtLayoutPtn>)
        return MakePatternLayout<Pattern, Trait>(MakeShape(MakeShape(_1{}, r), MakeShape(_1{}, c)),
                                                 MakeStride(MakeStride(_0{}, c), MakeStride(_0{}, _1{})));
    else if constexpr (std::is_same_v<Pattern, DNExtLayoutPtn>)
        return MakePatternLayout<Pattern, Trait>(MakeShape(MakeShape(_1{}, r), MakeShape(_1{}, c)),
                                                 MakeStride(MakeStride(_0{}, _1{}), MakeStride(_0{}, r)));
    else if constexpr (std::is_same_v<Pattern, NDLayoutPtn>)
        return MakePatternLayout<Pattern, Trait>(MakeShape(r, c), MakeStride(c, _1{}));
    else {
        static_assert(std::is_same_v<Pattern, DNLayoutPtn>, "MakeFrameLayout: the simulator has no layouts of this pattern");
        return MakePatternLayout<Pattern, Trait>(MakeShape(r, c), MakeStride(_1{}, r));
    }
}

} // namespace AscendC::Te
