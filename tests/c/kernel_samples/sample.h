// SPDX-License-Identifier: Apache-2.0 OR MIT
// Host-side support of the samples: device memory, and checks that print their findings.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
int aclrtMalloc(void **address, size_t bytes, int policy);
int aclrtFree(void *address);
int aclrtMemcpy(void *to, size_t room, const void *from, size_t bytes, int kind);
int aclrtSynchronizeStream(void *stream);
const char *aclGetRecentErrMsg();
}

namespace sample {

// An array on the device, as long as it lives.
template <typename T> class Array {
  public:
    explicit Array(const std::vector<T> &values) : count_(values.size())
    {
        aclrtMalloc(&address_, bytes(), 0);
        aclrtMemcpy(address_, bytes(), values.data(), bytes(), 1);
    }
    ~Array() { aclrtFree(address_); }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;

    uint8_t *get() const { return static_cast<uint8_t *>(address_); }
    std::vector<T> values() const
    {
        std::vector<T> copy(count_);
        aclrtMemcpy(copy.data(), bytes(), address_, bytes(), 2);
        return copy;
    }

  private:
    size_t bytes() const { return count_ * sizeof(T); }
    void *address_ = nullptr;
    size_t count_;
};

inline bool done(void *stream) { return aclrtSynchronizeStream(stream) == 0; }

// True if all are as expected, within `part` of the value.
template <typename T, typename Expected>
bool check(const char *what, const std::vector<T> &found, Expected expected, double part = 0)
{
    for (size_t i = 0; i < found.size(); i++) {
        const double is = static_cast<double>(found[i]), wanted = static_cast<double>(expected(i));
        if (is == wanted || (std::isnan(is) && std::isnan(wanted)) || std::fabs(is - wanted) <= part * std::fabs(wanted))
            continue;
        std::fprintf(stderr, "%s: element %zu is %g, expected %g\n", what, i, is, wanted);
        return false;
    }
    return true;
}

} // namespace sample
