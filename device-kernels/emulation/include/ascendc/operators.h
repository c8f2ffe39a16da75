// SPDX-License-Identifier: Apache-2.0 OR MIT
// Operators on tensors, such as `dst = a + b`: each is the call of that name over all elements of dst, for
// the types of that call: + - * / & | and the comparisons.
#pragma once

#include "arithmetic.h"
#include "selection.h"

namespace AscendC {

#define MF_OPERATOR(NAME, SIGN)                                                                                        \
    template <typename T> SymbolOverride##NAME<T> LocalTensor<T>::operator SIGN(const PlacedTensor<T> &src1) const {   \
        return {*this, src1.tensor, src1.at};                                                                          \
    }                                                                                                                  \
    template <typename T> void LocalTensor<T>::operator=(const SymbolOverride##NAME<T> &of) {                          \
        NAME(*this, of.src0, of.src1, static_cast<int32_t>(this->GetSize()), of.at);                                   \
    }
MF_OPERATOR(Add, +)
MF_OPERATOR(Sub, -)
MF_OPERATOR(Mul, *)
MF_OPERATOR(Div, /)
MF_OPERATOR(Or, |)
MF_OPERATOR(And, &)
#undef MF_OPERATOR

#define MF_COMPARISON(SIGN, MODE)                                                                                      \
    template <typename T> SymbolOverrideCompare<T> LocalTensor<T>::operator SIGN(const PlacedTensor<T> &src1) const {  \
        return {*this, src1.tensor, CMPMODE::MODE, src1.at};                                                           \
    }
MF_COMPARISON(<, LT)
MF_COMPARISON(>, GT)
MF_COMPARISON(<=, LE)
MF_COMPARISON(>=, GE)
MF_COMPARISON(==, EQ)
MF_COMPARISON(!=, NE)
#undef MF_COMPARISON
template <typename T> void LocalTensor<T>::operator=(const SymbolOverrideCompare<float> &of) {
    Compare(*this, of.src0, of.src1, of.mode, this->GetSize(), of.at);
}
template <typename T> void LocalTensor<T>::operator=(const SymbolOverrideCompare<half> &of) {
    Compare(*this, of.src0, of.src1, of.mode, this->GetSize(), of.at);
}

} // namespace AscendC
