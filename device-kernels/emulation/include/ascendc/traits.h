// SPDX-License-Identifier: Apache-2.0 OR MIT
// Properties of types, and the small part of the C++ library that kernels may use (namespace Std): the
// host's.
#pragma once

#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>

#include "language.h"

namespace AscendC {
namespace Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_function;
using std::is_function_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_union;
using std::is_union_v;
using std::is_void;
using std::is_void_v;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::true_type;

template <typename T> struct remove_cvref {
    using type = std::remove_cv_t<std::remove_reference_t<T>>;
};
template <typename T> using remove_cvref_t = typename remove_cvref<T>::type;
template <typename T, typename U> struct IsSame : std::bool_constant<std::is_same_v<T, U>> {};
template <typename T, typename... Ts> struct is_one_of : std::bool_constant<(std::is_same_v<T, Ts> || ...)> {};
template <typename T, typename... Ts> inline constexpr bool is_one_of_v = is_one_of<T, Ts...>::value;

using std::index_sequence;
using std::integer_sequence;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::forward;
using std::move;

using std::get;
using std::make_tuple;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
template <typename T> struct is_tuple : std::false_type {};
template <typename... Ts> struct is_tuple<std::tuple<Ts...>> : std::true_type {};
template <typename T> inline constexpr bool is_tuple_v = is_tuple<T>::value;

// A whole number as a type.
template <auto v> struct Int : std::integral_constant<decltype(v), v> {};
template <typename T> struct is_constant : std::false_type {};
template <auto v> struct is_constant<Int<v>> : std::true_type {};
template <typename T, T v> struct is_constant<std::integral_constant<T, v>> : std::true_type {};

template <typename T> constexpr T min(const T &a, const T &b) { return b < a ? b : a; }
template <typename T> constexpr T max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> constexpr T abs(const T &a) { return a < T(0) ? T(-a) : a; }
template <typename T> inline T sqrt(T a) { return static_cast<T>(std::sqrt(static_cast<double>(a))); }

} // namespace Std

using TrueType = std::true_type;
using FalseType = std::false_type;
template <typename T, typename U> struct IsSameType : FalseType {};
template <typename T> struct IsSameType<T, T> : TrueType {};
template <bool condition, typename T1, typename T2> struct Conditional {
    using type = std::conditional_t<condition, T1, T2>;
};

} // namespace AscendC
