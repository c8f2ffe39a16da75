// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Receives what uhm_client sends, size by size, and compares all bytes.
//
//     c++ -std=c++14 uhm_server.cpp $(pkg-config --cflags --libs hmc) -o uhm_server
//     ./uhm_server --mode uhm     # and in another shell: ./uhm_client --mode uhm
//
// Options and environment are the same as for uhm_client.cpp.
#include "uhm.hpp"

namespace {

// Memory of the received data: the accelerator's, if present.
hmc::Memory device_memory(0);

class Server {
public:
    explicit Server(const uhm::Options &given)
        : options(given),
          buffer(std::make_shared<hmc::ConnBuffer>(0, given.buffer_bytes, given.buffer_type())),
          comm(buffer, given.channels),
          host(given.max_bytes),
          is_on_host(buffer->mem_ops->getMemoryType() == hmc::MemoryType::CPU)
    {
        uhm::check(device_memory.allocateBuffer(&received, std::max<std::size_t>(given.max_bytes, 1)), "allocateBuffer");
    }
    ~Server() { static_cast<void>(device_memory.freeBuffer(received)); }
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    void listen()
    {
        uhm::check(comm.initServer(options.server_ip, options.data_port, options.ctrl_port,
                                   hmc::Communicator::udsPathFor(options.uds_dir, options.self_rank), options.conn()),
                   "HMC initServer");
    }

    // Receives all sizes of a client; returns whether all bytes were right.
    bool serve(const uhm::Socket &client)
    {
        bool is_right = true;
        // A client that listens nowhere itself is known by port 0.
        uhm::check(uhm::within_a_minute([&] { return comm.checkConn(options.client_ip, 0, options.conn()); }),
                   "waiting for the connection of " + options.client_ip);
        for (const std::size_t size : uhm::sizes(options)) {
            if (options.mode == "uhm") receive_stream(size);
            if (options.is_acknowledged()) receive_chunks(client, size);
            client.expect(uhm::FINISHED);
            if (options.mode != "rdma_cpu") {
                const bool is_equal = compares(size);
                is_right = is_right && is_equal;
                std::cout << "[Size " << size << " B] Data Integrity: " << (is_equal ? "PASS" : "FAIL") << "\n";
            }
            std::cout << std::string(41, '-') << std::endl;
            client.say(uhm::OK);
        }
        return is_right;
    }

private:
    void receive_stream(std::size_t size)
    {
        std::size_t bytes = 0;
        uhm::check(comm.recvDataFrom(options.client_ip, 0, received, size, device_memory.getMemoryType(), &bytes, options.conn()),
                   "recvDataFrom");
        if (bytes != size) throw std::runtime_error(std::to_string(bytes) + " bytes came in place of " + std::to_string(size));
    }

    // Each chunk lies at the beginning of the buffer, until it is acknowledged.
    void receive_chunks(const uhm::Socket &client, std::size_t size)
    {
        const std::size_t half = options.buffer_bytes / 2;
        for (std::size_t at = 0; at < size; at += half) {
            std::uint64_t tag = 0;
            const auto receive = [&] { return comm.ctrlRecv(options.peer_rank, &tag); };
            // The link may be known here later than the connection for data.
            uhm::check(has_tag ? receive() : uhm::within_a_minute(receive), "ctrlRecv");
            has_tag = true;
            char *to = static_cast<char *>(received) + at;
            const std::size_t bytes = std::min(half, size - at);
            if (options.mode == "g2h2g")
                uhm::check(device_memory.copyHostToDevice(to, buffer->ptr, bytes), "copyHostToDevice");
            else
                uhm::check(is_on_host ? buffer->readToCpu(to, bytes) : buffer->readToGpu(to, bytes), "reading the buffer");
            client.say(uhm::OK);
        }
    }

    bool compares(std::size_t size)
    {
        // These modes leave it in the buffer.
        if (options.mode == "ucx" || options.mode == "pipeline")
            uhm::check(buffer->readToCpu(host.data(), size), "readToCpu");
        else
            uhm::check(device_memory.copyDeviceToHost(host.data(), received, size), "copyDeviceToHost");
        for (std::size_t at = 0; at < size; at++)
            if (host[at] != uhm::pattern(at, size)) return false;
        return true;
    }

    const uhm::Options options;
    std::shared_ptr<hmc::ConnBuffer> buffer;
    hmc::Communicator comm;
    std::vector<char> host;
    void *received = nullptr;
    const bool is_on_host;
    bool has_tag = false;
};

} // namespace

int main(int count, char **words)
{
    const uhm::Options options = uhm::options(count, words, 0, 1);
    try {
        Server server(options);
        server.listen();
        const uhm::Socket listener = uhm::Socket::listening(options.tcp_server_ip, options.app_port);
        return server.serve(listener.accepted()) ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << "uhm_server: " << error.what() << std::endl;
        return 1;
    }
}
