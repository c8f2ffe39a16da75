// SPDX-License-Identifier: Apache-2.0 OR MIT
// Common parts of the programs of this test: a counting check, and random numbers with a seed.
#pragma once

#include <cstdint>
#include <cstdio>

inline int failures = 0;

// Prints the compared values, at most twenty times.
#define CHECK(condition, ...)                                           \
    do {                                                                \
        if (!(condition) && ++failures <= 20) {                         \
            std::printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            std::printf(__VA_ARGS__);                                   \
            std::printf("\n");                                          \
        }                                                               \
    } while (false)

struct Random {
    uint64_t state;
    explicit Random(uint64_t seed) : state(seed) {}
    uint64_t next() { // splitmix64
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
};
