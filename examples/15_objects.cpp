// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A pool by the objects of mf_smem.hpp: every rank puts a greeting into the memory of the next one and reads
// its own. Failures throw, and all objects are released in order.
//
//     c++ -std=c++14 15_objects.cpp $(pkg-config --cflags --libs mf_smem) -o 15_objects
//     mf run -n 4 -- ./15_objects
#include <cstdio>
#include <cstdlib>
#include <string>

#include "mf_smem.hpp"

namespace {

constexpr std::size_t BYTES = 64;

std::string greeting(std::uint32_t rank, std::uint32_t world)
{
    std::string text = "hello from rank " + std::to_string(rank) + " of " + std::to_string(world);
    text.resize(BYTES);
    return text;
}

// Without a launcher the process is the only rank, and serves the store itself.
mf_smem::Membership joined()
{
    if (std::getenv("WORLD_SIZE") != nullptr) return mf_smem::Membership::launched();
    smem_bm_config_t config = mf_smem::pool_defaults();
    config.autoRanking = false;
    config.rankId = 0;
    return mf_smem::Membership("tcp://127.0.0.1:5570", 1, 0, config);
}

void greet()
{
    const mf_smem::Membership job = joined();
    const std::uint32_t me = job.rank(), world = job.world_size();
    const mf_smem::Pool pool(0, 2 << 20);
    pool.join();
    job.barrier("joined");

    const std::string mine = greeting(me, world);
    pool.copy(mine.data(), pool.address(static_cast<std::uint16_t>((me + 1) % world)), BYTES);
    job.barrier("greeted");

    std::string got(BYTES, '\0');
    pool.copy(pool.address(static_cast<std::uint16_t>(me)), &got[0], BYTES);
    std::printf("rank %u: got \"%s\"\n", me, got.c_str());
    if (got != greeting((me + world - 1) % world, world)) throw std::runtime_error("another greeting was expected");
    job.barrier("done");
}

} // namespace

int main()
{
    try {
        greet();
    } catch (const mf_smem::Error &error) {
        std::fprintf(stderr, "%s (code %d)\n", error.what(), error.code());
        return 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
