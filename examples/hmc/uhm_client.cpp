// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Sends powers of two from 32 bytes to 64 MiB to uhm_server, and measures how long each takes.
//
//     c++ -std=c++14 uhm_client.cpp $(pkg-config --cflags --libs hmc) -o uhm_client
//     ./uhm_client --mode uhm     # while ./uhm_server --mode uhm runs
//
// | --mode | measurement |
// |---|---|
// | uhm | a stream through both halves of the buffers (sendDataTo) |
// | serial | for each half buffer a copy into it, and a put |
// | g2h2g | the same through a buffer in host memory |
// | rdma_cpu | the puts alone |
// | ucx | two copies of the whole, and a put, by UCX |
// | pipeline | a put in chunks (putPipeline) |
//
// Environment, of both programs: SERVER_IP, CLIENT_IP (127.0.0.1; the control channel is a socket file when
// they are equal, else TCP), TCP_SERVER_IP (SERVER_IP), SELF_RANK, PEER_RANK (server 0 and 1, client 1 and
// 0), NUM_CHANNELS (1), CTRL_UDS_DIR (/tmp), PIPELINE_CHUNK (4 MiB), PIPELINE_INFLIGHT (64), UHM_PORT
// (2025; 2027 and 2028 follow it), UHM_BUFFER_BYTES (128 MiB), UHM_MAX_BYTES (64 MiB, the largest size).
#include "uhm.hpp"

#include <fstream>

namespace {

// Memory of the source data: the accelerator's, if present.
hmc::Memory device_memory(0);

const char *label(const std::string &mode)
{
    return mode == "serial" || mode == "g2h2g" || mode == "pipeline" ? "[End-to-end]" : "[Network only]";
}

class Client {
public:
    explicit Client(const uhm::Options &given)
        : options(given),
          buffer(std::make_shared<hmc::ConnBuffer>(0, given.buffer_bytes, given.buffer_type())),
          comm(buffer, given.channels),
          host(given.max_bytes),
          is_on_host(buffer->mem_ops->getMemoryType() == hmc::MemoryType::CPU)
    {
        uhm::check(device_memory.allocateBuffer(&source, std::max<std::size_t>(given.max_bytes, 1)), "allocateBuffer");
    }
    ~Client() { static_cast<void>(device_memory.freeBuffer(source)); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    bool connects()
    {
        hmc::Communicator::CtrlLink link;
        if (options.server_ip == options.client_ip) {
            link.transport = hmc::Communicator::CtrlTransport::UDS;
            link.uds_path = hmc::Communicator::udsPathFor(options.uds_dir, options.peer_rank);
        } else {
            link.ip = options.server_ip;
            link.port = options.ctrl_port;
        }
        return comm.connectTo(options.peer_rank, options.self_rank, options.server_ip, options.data_port, link, options.conn()) ==
               hmc::status_t::SUCCESS;
    }

    void send_all(const uhm::Socket &server)
    {
        std::ofstream table("performanceTest_client.csv", std::ios::app | std::ios::ate);
        if (table.tellp() == 0) table << "Mode,Data Size (MB),Time(us),Bandwidth(Gbps)\n";
        for (const std::size_t size : uhm::sizes(options)) {
            for (std::size_t at = 0; at < size; at++) host[at] = uhm::pattern(at, size);
            uhm::check(device_memory.copyHostToDevice(source, host.data(), size), "copyHostToDevice");
            taken = Clock::duration::zero();
            send(server, size);
            report(table, size);
            server.say(uhm::FINISHED);
            server.expect(uhm::OK);
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    void send(const uhm::Socket &server, std::size_t size)
    {
        if (options.mode == "uhm") {
            timed("sendDataTo", [&] {
                return comm.sendDataTo(options.server_ip, options.data_port, source, size, device_memory.getMemoryType(), options.conn());
            });
        } else if (options.is_chunked()) {
            const std::size_t half = options.buffer_bytes / 2;
            for (std::size_t at = 0; at < size; at += half) send_chunk(server, static_cast<char *>(source) + at, std::min(half, size - at));
        } else if (options.mode == "ucx") {
            timed("copyHostToDevice", [&] { return device_memory.copyHostToDevice(source, host.data(), size); });
            timed("writeFromCpu", [&] { return buffer->writeFromCpu(host.data(), size); });
            timed("put", [&] { return put(size); });
        } else {
            uhm::check(stage(static_cast<char *>(source), size), "staging");
            timed("putPipeline", [&] {
                return comm.putPipeline(options.server_ip, options.data_port, 0, 0, size, options.chunk_bytes, options.inflight, options.conn());
            });
        }
    }

    void send_chunk(const uhm::Socket &server, char *from, std::size_t bytes)
    {
        if (options.mode == "rdma_cpu")
            uhm::check(stage(from, bytes), "staging");
        else if (options.mode == "g2h2g")
            timed("copyDeviceToHost", [&] { return device_memory.copyDeviceToHost(buffer->ptr, from, bytes); });
        else
            timed("staging", [&] { return stage(from, bytes); });
        timed("put", [&] { return put(bytes); });
        if (!options.is_acknowledged()) return;
        uhm::check(comm.ctrlSend(options.peer_rank, 1), "ctrlSend");
        server.expect(uhm::OK);
    }

    hmc::status_t put(std::size_t bytes) { return comm.put(options.server_ip, options.data_port, 0, 0, bytes, options.conn()); }
    // From the source to the beginning of the buffer.
    hmc::status_t stage(char *from, std::size_t bytes)
    {
        return is_on_host ? buffer->writeFromCpu(from, bytes) : buffer->writeFromGpu(from, bytes);
    }

    // Measures a call.
    template <class Call>
    void timed(const char *what, Call call)
    {
        const Clock::time_point begin = Clock::now();
        const hmc::status_t status = call();
        taken += Clock::now() - begin;
        uhm::check(status, what);
    }

    void report(std::ostream &table, std::size_t size) const
    {
        const double seconds = std::chrono::duration<double>(taken).count();
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(taken).count();
        const double mib = static_cast<double>(size) / (1 << 20), gbps = static_cast<double>(size) * 8 / seconds / 1e9;
        std::cout << "[Mode: " << options.mode << "] " << label(options.mode) << " Data Size: " << size << " B, Time: " << us
                  << " us, " << mib / seconds << " MiB/s, " << gbps << " Gbps" << std::endl;
        table << options.mode << "," << mib << "," << us << "," << gbps << std::endl;
    }

    const uhm::Options options;
    std::shared_ptr<hmc::ConnBuffer> buffer;
    hmc::Communicator comm;
    std::vector<char> host;
    void *source = nullptr;
    const bool is_on_host;
    Clock::duration taken{};
};

} // namespace

int main(int count, char **words)
{
    const uhm::Options options = uhm::options(count, words, 1, 0);
    try {
        uhm::Socket server(-1);
        for (int failures = 0; !server.connects(options.tcp_server_ip, options.app_port);) {
            if (++failures > 5) {
                std::cerr << "TCP connect to " << options.tcp_server_ip << " failed" << std::endl;
                return -1;
            }
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        Client client(options);
        if (!client.connects()) {
            std::cerr << "HMC connectTo failed: " << hmc::last_error() << std::endl;
            return -1;
        }
        client.send_all(server);
        return 0;
    } catch (const std::exception &error) {
        std::cerr << "uhm_client: " << error.what() << std::endl;
        return 1;
    }
}
