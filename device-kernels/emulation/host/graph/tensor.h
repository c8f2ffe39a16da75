// SPDX-License-Identifier: Apache-2.0 OR MIT
// The shape of a tensor, which functions of tiling take.
#ifndef MF_HOST_GRAPH_TENSOR_H
#define MF_HOST_GRAPH_TENSOR_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "types.h"

namespace ge {

// Lengths of the axes, the last one is contiguous.
class Shape {
  public:
    Shape() = default;
    explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

    size_t GetDimNum() const { return dims_.size(); }
    // 0 for an axis that does not exist.
    int64_t GetDim(size_t idx) const { return idx < dims_.size() ? dims_[idx] : 0; }
    std::vector<int64_t> GetDims() const { return dims_; }
    // Number of elements; 0 without axes.
    int64_t GetShapeSize() const {
        int64_t size = dims_.empty() ? 0 : 1;
        for (const int64_t dim : dims_) size *= dim;
        return size;
    }

  private:
    std::vector<int64_t> dims_;
};

} // namespace ge

#endif
