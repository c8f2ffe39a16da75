// SPDX-License-Identifier: Apache-2.0 OR MIT
// Output of kernels.
#include "../include/ascendc/output.h"

#include <cstdlib>
#include <string>

#include "core.h"

namespace mf::emulation {

void print(const char *text, size_t bytes)
{
    std::fwrite(text, 1, bytes < MOST_PRINTED ? bytes : MOST_PRINTED, stdout);
    std::fflush(stdout);
}

void assertion_failed(Site at, const char *condition, const char *text)
{
    std::string shown(condition);
    if (text != nullptr)
        shown = shown.substr(0, shown.find(',')) + ": " + text;
    // Host code beside kernels has assertions, too.
    if (running == nullptr) {
        std::fprintf(stderr, "%s: assertion failed: %s\n", text_of(at).c_str(), shown.c_str());
        std::abort();
    }
    fault("", at, "assertion failed on %s of block %u: %s", core_name(place()).c_str(), place().block_index, shown.c_str());
}

namespace {

template <typename T> double value_at(const uint8_t *values, uint32_t index)
{
    T value;
    std::memcpy(&value, values + index * sizeof(T), sizeof value);
    return static_cast<double>(value);
}

double number(Type type, const uint8_t *values, uint32_t index)
{
    switch (type) {
    case Type::I8: return value_at<int8_t>(values, index);
    case Type::U8: return value_at<uint8_t>(values, index);
    case Type::I16: return value_at<int16_t>(values, index);
    case Type::U16: return value_at<uint16_t>(values, index);
    case Type::I32: return value_at<int32_t>(values, index);
    case Type::U32: return value_at<uint32_t>(values, index);
    case Type::I64: return value_at<int64_t>(values, index);
    case Type::U64: return value_at<uint64_t>(values, index);
    case Type::F16: return half_value(static_cast<uint16_t>(value_at<uint16_t>(values, index)));
    case Type::BF16: return bfloat16_value(static_cast<uint16_t>(value_at<uint16_t>(values, index)));
    default: return value_at<float>(values, index);
    }
}

} // namespace

void dump(uint32_t number_of_dump, const char *where, Type type, const uint8_t *values, uint32_t count)
{
    static const char *const names[] = {"int8",   "uint8",  "int16", "uint16",   "int32",   "uint32",
                                        "int64", "uint64", "half",  "bfloat16", "float"};
    char line[64];
    std::string text = "DumpTensor " + std::to_string(number_of_dump) + ": block " + std::to_string(place().block_index) + ", " +
                       core_name(place()) + ", " + where + ", " + names[static_cast<unsigned>(type)] + ", " +
                       std::to_string(count) + " elements\n";
    for (uint32_t i = 0; i < count; ++i) {
        std::snprintf(line, sizeof line, "%s%.9g%s", i % 8 == 0 ? "  " : " ", number(type, values, i),
                      i % 8 == 7 || i + 1 == count ? "\n" : "");
        text += line;
    }
    print(text.data(), text.size());
}

} // namespace mf::emulation
