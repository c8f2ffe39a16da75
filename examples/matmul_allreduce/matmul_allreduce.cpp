// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// CANN SHMEM on the host: each PE multiplies its share of the matrices, and the products are summed on every
// PE. Each PE sums the rows that fall to it, from the memory of all, and puts the sums to all. run.sh
// compiles, runs and checks it.
//
//     matmul_allreduce RANKS RANK IP_PORT M N K FOLDER
//
// FOLDER has rank_<i>_a.bin (M x K) and rank_<i>_b.bin (K x N) in fp16; PE 0 writes output.bin (M x N) there.
#include <shmem.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "matmul_allreduce: %s\n", what.c_str());
    std::exit(1);
}

void check(int code, const char *call)
{
    if (code != 0) {
        fail(std::string(call) + ": " + std::to_string(code));
    }
}

float float_of(uint16_t half)
{
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023, sign = static_cast<uint32_t>(half & 0x8000) << 16;
    if (exponent == 0) {
        const float value = static_cast<float>(fraction) / 16777216.0F;
        return sign == 0 ? value : -value;
    }
    const uint32_t bits = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// To the nearest; what is halfway goes to the even one.
uint16_t half_of(float value)
{
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest >= 0x47800000) {
        return static_cast<uint16_t>(sign | (rest > 0x7f800000 ? 0x7e00 : 0x7c00));
    }
    if (rest < 0x38800000) {
        float small;
        std::memcpy(&small, &rest, sizeof small);
        // Adding 0.5 leaves 24 bits behind the point, rounded as it should be.
        small += 0.5F;
        uint32_t rounded;
        std::memcpy(&rounded, &small, sizeof rounded);
        return static_cast<uint16_t>(sign | (rounded - 0x3f000000));
    }
    const uint32_t rounded = rest - 0x38000000 + 0xfff + (rest >> 13 & 1);
    return static_cast<uint16_t>(sign | rounded >> 13);
}

std::vector<float> matrix(const std::string &file, size_t elements)
{
    std::vector<uint16_t> halves(elements);
    std::FILE *input = std::fopen(file.c_str(), "rb");
    if (input == nullptr || std::fread(halves.data(), sizeof(uint16_t), elements, input) != elements) {
        fail(file + " cannot be read, or is too short");
    }
    std::fclose(input);
    std::vector<float> values(elements);
    for (size_t i = 0; i < elements; i++) {
        values[i] = float_of(halves[i]);
    }
    return values;
}

}  // namespace

int main(int count, char **arguments)
{
    if (count != 8) {
        fail("give RANKS RANK IP_PORT M N K FOLDER");
    }
    const size_t m = std::strtoul(arguments[4], nullptr, 10), n = std::strtoul(arguments[5], nullptr, 10),
                 k = std::strtoul(arguments[6], nullptr, 10);
    const std::string folder = arguments[7];

    aclshmemx_init_attr_t attributes;
    attributes.n_pes = std::atoi(arguments[1]);
    attributes.my_pe = std::atoi(arguments[2]);
    std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", arguments[3]);
    attributes.local_mem_size = 2 * m * n * sizeof(float) + (4 << 20);
    check(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes), "aclshmemx_init_attr");
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();

    auto *product = static_cast<float *>(aclshmem_calloc(m * n, sizeof(float)));
    auto *sums = static_cast<float *>(aclshmem_malloc(m * n * sizeof(float)));
    if (product == nullptr || sums == nullptr) {
        fail("no memory in the symmetric heap");
    }
    const std::string own = folder + "/rank_" + std::to_string(me);
    const std::vector<float> a = matrix(own + "_a.bin", m * k), b = matrix(own + "_b.bin", k * n);
    for (size_t row = 0; row < m; row++) {
        for (size_t i = 0; i < k; i++) {
            const float factor = a[row * k + i], *const from = &b[i * n];
            float *const to = &product[row * n];
            for (size_t column = 0; column < n; column++) {
                to[column] += factor * from[column];
            }
        }
    }
    aclshmem_barrier_all();

    // The rows that fall to this PE; the order of the PEs is the same for all rows, so that results repeat.
    const size_t first = m * static_cast<size_t>(me) / static_cast<size_t>(pes),
                 rows = m * static_cast<size_t>(me + 1) / static_cast<size_t>(pes) - first;
    std::vector<float> sum(rows * n), others(rows * n);
    for (int pe = 0; pe < pes; pe++) {
        aclshmem_float_get(others.data(), &product[first * n], rows * n, pe);
        for (size_t i = 0; i < rows * n; i++) {
            sum[i] += others[i];
        }
    }
    for (int i = 1; i <= pes; i++) {
        aclshmem_float_put(&sums[first * n], sum.data(), rows * n, (me + i) % pes);
    }
    aclshmem_barrier_all();

    if (me == 0) {
        std::vector<uint16_t> halves(m * n);
        for (size_t i = 0; i < m * n; i++) {
            halves[i] = half_of(sums[i]);
        }
        std::FILE *output = std::fopen((folder + "/output.bin").c_str(), "wb");
        if (output == nullptr || std::fwrite(halves.data(), sizeof(uint16_t), m * n, output) != m * n || std::fclose(output) != 0) {
            fail(folder + "/output.bin cannot be written");
        }
    }
    std::printf("PE %d of %d: summed rows %zu to %zu\n", me, pes, first, first + rows);
    aclshmem_free(sums);
    aclshmem_free(product);
    check(aclshmem_finalize(), "aclshmem_finalize");
    return 0;
}
