// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Common parts of uhm_server and uhm_client: options, sizes, the pattern of the bytes, and the separate
// socket on which the client reports a finished size and the server answers.
#ifndef UHM_HPP
#define UHM_HPP

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <hmc.h>

namespace uhm {

struct Options {
    std::string mode = "uhm";
    std::string server_ip, client_ip, tcp_server_ip, uds_dir;
    std::uint32_t self_rank, peer_rank;
    std::size_t channels, chunk_bytes, inflight, buffer_bytes, max_bytes;
    std::uint16_t data_port, app_port, ctrl_port;

    hmc::ConnType conn() const { return mode == "ucx" ? hmc::ConnType::UCX : hmc::ConnType::RDMA; }
    // Memory type of the buffer in this mode.
    hmc::MemoryType buffer_type() const
    {
        return mode == "ucx" || mode == "g2h2g" ? hmc::MemoryType::CPU : hmc::MemoryType::DEFAULT;
    }
    // True if a size is moved in chunks of half a buffer.
    bool is_chunked() const { return mode == "serial" || mode == "g2h2g" || mode == "rdma_cpu"; }
    bool is_acknowledged() const { return mode == "serial" || mode == "g2h2g"; }
};

inline std::string text_of(const char *name, const char *otherwise)
{
    const char *text = std::getenv(name);
    return text != nullptr && text[0] != '\0' ? text : otherwise;
}

// A number from the environment; the default if it is malformed.
template <class Number>
Number number_of(const char *name, Number otherwise)
{
    const std::string text = text_of(name, "");
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return otherwise;
    errno = 0;
    const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
    return errno == 0 && value <= std::numeric_limits<Number>::max() ? static_cast<Number>(value) : otherwise;
}

inline Options options(int count, char **words, std::uint32_t self, std::uint32_t peer)
{
    Options it;
    for (int at = 1; at + 1 < count; at++)
        if (std::string(words[at]) == "--mode") it.mode = words[++at];
    const std::vector<std::string> modes = {"uhm", "serial", "g2h2g", "rdma_cpu", "ucx", "pipeline"};
    if (std::find(modes.begin(), modes.end(), it.mode) == modes.end()) {
        std::cerr << "Invalid mode: " << it.mode << std::endl;
        std::exit(1);
    }
    it.server_ip = text_of("SERVER_IP", "127.0.0.1");
    it.client_ip = text_of("CLIENT_IP", "127.0.0.1");
    it.tcp_server_ip = text_of("TCP_SERVER_IP", it.server_ip.c_str());
    it.uds_dir = text_of("CTRL_UDS_DIR", "/tmp");
    it.self_rank = number_of("SELF_RANK", self);
    it.peer_rank = number_of("PEER_RANK", peer);
    it.channels = number_of<std::size_t>("NUM_CHANNELS", 1);
    it.chunk_bytes = number_of<std::size_t>("PIPELINE_CHUNK", 4 << 20);
    it.inflight = number_of<std::size_t>("PIPELINE_INFLIGHT", 64);
    // The same in both programs; the ports of the socket and of the control channel follow the data port.
    it.buffer_bytes = std::max<std::size_t>(2, number_of<std::size_t>("UHM_BUFFER_BYTES", 128 << 20));
    it.max_bytes = number_of<std::size_t>("UHM_MAX_BYTES", 64 << 20);
    it.data_port = number_of<std::uint16_t>("UHM_PORT", 2025);
    it.app_port = static_cast<std::uint16_t>(it.data_port + 2);
    it.ctrl_port = static_cast<std::uint16_t>(it.data_port + 3);
    return it;
}

// Sizes to transfer, in order: powers of two from 32 bytes on.
inline std::vector<std::size_t> sizes(const Options &options)
{
    const bool is_any = options.is_chunked() || options.mode == "uhm";
    const std::size_t most = is_any ? options.max_bytes : std::min(options.max_bytes, options.buffer_bytes);
    std::vector<std::size_t> found;
    for (std::size_t size = 1 << 5; size <= most; size *= 2) found.push_back(size);
    return found;
}

// The byte at a place of a transfer of a size: another for each size, and no period shorter than a buffer.
inline char pattern(std::size_t at, std::size_t size)
{
    std::uint64_t mixed = (static_cast<std::uint64_t>(at) + (static_cast<std::uint64_t>(size) << 20)) * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 29;
    return static_cast<char>(mixed * 0xBF58476D1CE4E5B9u >> 56);
}

inline void check(hmc::status_t status, const std::string &what)
{
    if (status != hmc::status_t::SUCCESS)
        throw std::runtime_error(what + " failed: " + hmc::status_to_string(status) + ": " + hmc::last_error());
}

// A connected or listening socket of the programs themselves.
class Socket {
public:
    explicit Socket(int fd) : fd_(fd) {}
    Socket(Socket &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Socket &operator=(Socket &&other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Socket()
    {
        if (fd_ >= 0) ::close(fd_);
    }

    static Socket listening(const std::string &ip, std::uint16_t port)
    {
        Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const int on = 1;
        const sockaddr_in address = address_of(ip, port);
        static_cast<void>(::setsockopt(socket.fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
        if (::bind(socket.fd_, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 || ::listen(socket.fd_, 1) != 0)
            throw std::runtime_error("cannot listen at " + ip + ":" + std::to_string(port) + ": " + std::strerror(errno));
        return socket;
    }
    Socket accepted() const { return Socket(::accept(fd_, nullptr, nullptr)); }
    // Connects; false when it is refused.
    bool connects(const std::string &ip, std::uint16_t port)
    {
        const sockaddr_in address = address_of(ip, port);
        *this = Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        return ::connect(fd_, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    }

    void say(const std::string &word) const
    {
        if (::send(fd_, word.data(), word.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(word.size()))
            throw std::runtime_error("the other program has ended before \"" + word + "\"");
    }
    // Waits for a word; each is answered before the next.
    void expect(const std::string &word) const
    {
        char got[17] = "";
        std::size_t bytes = 0;
        while (std::strstr(got, word.c_str()) == nullptr) {
            const ssize_t more = bytes < 16 ? ::recv(fd_, got + bytes, 16 - bytes, 0) : 0;
            if (more <= 0) throw std::runtime_error("the other program has ended, or does not say \"" + word + "\"");
            bytes += static_cast<std::size_t>(more);
        }
    }

private:
    static sockaddr_in address_of(const std::string &ip, std::uint16_t port)
    {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        if (::inet_pton(AF_INET, ip.c_str(), &address.sin_addr) != 1) throw std::runtime_error(ip + " is no address of IPv4");
        return address;
    }
    int fd_;
};

// The server's answers to a chunk, and to a size.
constexpr const char *OK = "OK";
constexpr const char *FINISHED = "Finished";

// Tries again until it is SUCCESS or a minute has gone by.
template <class Call>
hmc::status_t within_a_minute(Call call)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    hmc::status_t status = call();
    while (status != hmc::status_t::SUCCESS && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        status = call();
    }
    return status;
}

} // namespace uhm

#endif
