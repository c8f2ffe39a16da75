// SPDX-License-Identifier: Apache-2.0 OR MIT
// Common parts of the two processes of a test of HMC: ports, calls that wait for the other side, bytes.
#ifndef MF_TESTS_HMC_PEERS_HPP
#define MF_TESTS_HMC_PEERS_HPP

#include "../ranks.h"

#include "../check.h"
#include <hmc.h>

using namespace hmc;

#define IS(status, call) CHECK((call) == status_t::status)

// A port that was free a moment ago, with the `behind` following ones, and the ports 10000 above, which data
// uses beside a control channel at the same port; at all addresses of this host.
inline std::uint16_t free_ports(int behind)
{
    for (;;) {
        const std::uint16_t first = free_port();
        // 10000 above, too, are ports that the kernel does not give out: those are 32768 and up.
        bool are_free = first < 22700 - behind;
        for (int next = 0; are_free && next < 2 * (behind + 1); next++) {
            sockaddr_in address = {};
            address.sin_family = AF_INET;
            address.sin_port = htons(static_cast<std::uint16_t>(first + next / 2 + next % 2 * 10000));
            const int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            are_free = bind(other, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
            close(other);
        }
        if (are_free) return first;
    }
}

// The address that a variable says; the default where both processes are on this host.
inline const char *address(const char *variable, const char *otherwise)
{
    const char *const given = getenv(variable);
    return given != nullptr ? given : otherwise;
}

// Repeats a call until it succeeds or a minute has passed; then the caller's CHECK fails.
template <class Call>
status_t until_success(Call call)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    status_t status = call();
    while (status != status_t::SUCCESS && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        status = call();
    }
    return status;
}

// Bytes that differ from place to place and from seed to seed.
inline std::vector<char> bytes_of(std::size_t count, std::size_t seed)
{
    std::vector<char> bytes(count);
    for (std::size_t at = 0; at < count; at++) bytes[at] = static_cast<char>((at * 2654435761u + seed * 40503u) >> 7);
    return bytes;
}

// True if the buffer has these bytes there.
inline bool has(ConnBuffer &buffer, const std::vector<char> &bytes, std::size_t bias = 0)
{
    std::vector<char> there(bytes.size());
    return buffer.readToCpu(there.data(), there.size(), bias) == status_t::SUCCESS && there == bytes;
}

// The memory of the buffers: host memory, or what MF_TEST_MEMORY says by its number.
inline MemoryType memory_to_test()
{
    const std::uint32_t number = env_u32("MF_TEST_MEMORY");
    return number == 0 ? MemoryType::CPU : static_cast<MemoryType>(number);
}

// Starts both processes with `behind` + 1 ports from MF_TEST_PORT on and a folder in MF_TEST_FOLDER, or is
// one of them.
inline int two_processes(char **argv, int (*server)(std::uint16_t, const std::string &), int (*client)(std::uint16_t, const std::string &),
                         int behind = 3)
{
    if (!is_rank()) {
        char folder[] = "/tmp/mf-hmc-XXXXXX";
        if (mkdtemp(folder) == nullptr) return 2;
        setenv("MF_TEST_FOLDER", folder, 1);
        setenv("MF_TEST_PORT", std::to_string(free_ports(behind)).c_str(), 1);
        const int status = run_ranks(2, argv);
        static_cast<void>(rmdir(folder));
        return status;
    }
    const std::uint16_t port = static_cast<std::uint16_t>(env_u32("MF_TEST_PORT"));
    const std::string folder = getenv("MF_TEST_FOLDER");
    return env_u32("RANK") == 0 ? server(port, folder) : client(port, folder);
}

#endif
