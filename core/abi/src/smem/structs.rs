// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Structs. A C `bool` that callers fill is a `u8` here, because they may have left any byte there.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::AtomicBool;

use super::{
    BmDataOpType, OffloadScene, RankWish, SMEM_TLS_PATH_SIZE, TraceBeginFn, TraceClockFn, TraceEndFn,
    TransOpcode, TransRole,
};
use crate::describe::structs;

/// A path in a [`TlsConfig`].
pub type TlsPath = [c_char; SMEM_TLS_PATH_SIZE];

/// An operation of a backend on a key or a lock.
pub type NameOperation = unsafe extern "C-unwind" fn(*mut c_void, *const c_char, u32) -> i32;

structs! {
    /// Files of a TLS identity, in place.
    #[derive(Clone, Copy)]
    struct TlsConfig = "smem_tls_config" | "smem_tls_config_t", 1793 bytes, align 1 {
        enable: u8 = tlsEnable at 0,
        ca_path: TlsPath = caPath at 1,
        crl_path: TlsPath = crlPath at 257,
        cert_path: TlsPath = certPath at 513,
        key_path: TlsPath = keyPath at 769,
        key_pass_path: TlsPath = keyPassPath at 1025,
        package_path: TlsPath = packagePath at 1281,
        decrypter_lib_path: TlsPath = decrypterLibPath at 1537,
    }

    /// Configuration of a process in a job of big memory.
    #[derive(Clone, Copy)]
    struct BmConfig = "smem_bm_config_t", 3680 bytes, align 4 {
        init_timeout: u32 = initTimeout at 0,
        create_timeout: u32 = createTimeout at 4,
        control_operation_timeout: u32 = controlOperationTimeout at 8,
        start_config_store_server: u8 = startConfigStoreServer at 12,
        start_config_store_only: u8 = startConfigStoreOnly at 13,
        dynamic_world_size: u8 = dynamicWorldSize at 14,
        unified_address_space: u8 = unifiedAddressSpace at 15,
        auto_ranking: u8 = autoRanking at 16,
        rank_id: u32 = rankId at 20,
        flags: u32 = flags at 24,
        hcom_url: [c_char; 64] = hcomUrl at 28,
        hcom_tls_config: TlsConfig = hcomTlsConfig at 92,
        store_tls_config: TlsConfig = storeTlsConfig at 1885,
    }

    /// Contribution of a process to a pool.
    #[derive(Clone, Copy)]
    struct BmCreateOption = "smem_bm_create_option_t", 336 bytes, align 8 {
        max_dram_size: u64 = maxDramSize at 0,
        max_hbm_size: u64 = maxHbmSize at 8,
        local_dram_size: u64 = localDRAMSize at 16,
        local_hbm_size: u64 = localHBMSize at 24,
        data_op_type: BmDataOpType = dataOpType at 32,
        enable_56_bits_gva: u8 = enable56BitsGva at 36,
        flags: u32 = flags at 40,
        tag: [c_char; 32] = tag at 44,
        tag_op_info: [c_char; 256] = tagOpInfo at 76,
        dram_shm_fd: c_int = dramShmFd at 332,
    }

    /// One copy. Callers of earlier releases pass only the first 24 bytes: `stream` is never read as a
    /// part of the whole.
    struct CopyParams = "smem_copy_params_t" | "smem_copy_params", 32 bytes, align 8 {
        src: *const c_void = src at 0,
        dest: *mut c_void = dest at 8,
        data_size: usize = dataSize at 16,
        stream: *mut c_void = stream at 24,
    }

    /// Several copies. Callers of earlier releases pass only the first 32 bytes.
    struct BatchCopyParams = "smem_batch_copy_params_t" | "smem_batch_copy_params", 40 bytes, align 8 {
        sources: *mut *mut c_void = sources at 0,
        destinations: *mut *mut c_void = destinations at 8,
        data_sizes: *const u64 = dataSizes at 16,
        batch_size: u32 = batchSize at 24,
        stream: *mut c_void = stream at 32,
    }

    /// Codes of the elements of a batch.
    struct BatchCopyResult = "smem_batch_copy_result_t" | "smem_batch_copy_result", 16 bytes, align 8 {
        results: *mut i32 = results at 0,
        batch_size: u32 = batchSize at 8,
    }

    /// Configuration of a process in a job of share memory.
    #[derive(Clone, Copy)]
    struct ShmConfig = "smem_shm_config_t", 20 bytes, align 4 {
        init_timeout: u32 = shmInitTimeout at 0,
        create_timeout: u32 = shmCreateTimeout at 4,
        control_operation_timeout: u32 = controlOperationTimeout at 8,
        start_config_store_server: u8 = startConfigStoreServer at 12,
        flags: u32 = flags at 16,
    }

    /// Configuration of an endpoint of transfers.
    #[derive(Clone, Copy)]
    struct TransConfig = "smem_trans_config_t", 1880 bytes, align 4 {
        role: TransRole = role at 0,
        init_timeout: u32 = initTimeout at 4,
        device_id: u32 = deviceId at 8,
        flags: u32 = flags at 12,
        data_op_type: BmDataOpType = dataOpType at 16,
        nic: [c_char; 64] = nic at 20,
        hcom_tls_config: TlsConfig = hcomTlsConfig at 84,
    }

    /// Parameters of a quantised transfer.
    #[derive(Clone, Copy)]
    struct QuantCopyParam = "smem_trans_quant_copy_param_t", 72 bytes, align 8 {
        remote_unique_id: *const c_char = remoteUniqueId at 0,
        local_addrs: *mut *mut c_void = localAddrs at 8,
        remote_addrs: *mut *mut c_void = remoteAddrs at 16,
        data_sizes: *mut usize = dataSizes at 24,
        scale: *mut *mut f32 = scale at 32,
        offset: *mut *mut f32 = offset at 40,
        batch_size: u32 = batchSize at 48,
        unit_num: u32 = unitNum at 52,
        stream: *mut c_void = stream at 56,
        input_type: u32 = inputType at 64,
        flags: u32 = flags at 68,
    }

    /// Parameters of a started batch of transfers.
    #[derive(Clone, Copy)]
    struct TransBatchParams = "smem_trans_batch_params_t", 56 bytes, align 8 {
        dest_url: *const c_char = destUrl at 0,
        src_list: *mut *mut c_void = srcList at 8,
        dest_list: *mut *mut c_void = destList at 16,
        size_list: *mut usize = sizeList at 24,
        batch_size: u32 = batchSize at 32,
        opcode: TransOpcode = opcode at 36,
        stream: *mut c_void = stream at 40,
        flags: u32 = flags at 48,
    }

    /// Options of a kernel launch.
    #[derive(Clone, Copy)]
    struct LaunchOptions = "mfx_launch_options_t", 16 bytes, align 8 {
        blocks: u32 = blocks at 0,
        timeout_ms: u32 = timeoutMs at 4,
        stream: *mut c_void = stream at 8,
    }

    /// Inputs of a kernel binary's compilation.
    struct KernelBuild = "mfx_kernel_build_t", 56 bytes, align 8 {
        sources: *const *const c_char = sources at 0,
        flags: *const *const c_char = flags at 8,
        source_count: u32 = sourceCount at 16,
        flag_count: u32 = flagCount at 20,
        home: *const c_char = home at 24,
        scratch: *const c_char = scratch at 32,
        output: *const c_char = output at 40,
        compiler: *const c_char = compiler at 48,
    }

    /// Files of a TLS identity, as pointers.
    struct TlsOptions = "smem_tls_options_t", 72 bytes, align 8 {
        enable_tls: u8 = enable_tls at 0,
        tls_top_path: *const c_char = tls_top_path at 8,
        tls_cert: *const c_char = tls_cert at 16,
        tls_crl_path: *const c_char = tls_crl_path at 24,
        tls_ca_path: *const c_char = tls_ca_path at 32,
        tls_ca_file: *const c_char = tls_ca_file at 40,
        tls_crl_file: *const c_char = tls_crl_file at 48,
        tls_private_key: *const c_char = tls_private_key at 56,
        tls_private_key_password: *const c_char = tls_private_key_password at 64,
    }

    /// Leader of a config store.
    struct LeaderInfo = "smem_config_store_leader_info_t", 16 bytes, align 8 {
        is_leader: u8 = is_leader at 0,
        bindable_leader_address: *const c_char = bindable_leader_address at 8,
    }

    /// Request of a backend's `prefix_get`.
    struct PrefixGetContext = "smem_store_prefix_get_ctx_t", 32 bytes, align 8 {
        prefix: *const c_char = prefix at 0,
        marker: *const c_char = marker at 8,
        context: *mut c_void = context at 16,
        fill: unsafe extern "C" fn(*const c_char, *const c_void, u64, *mut c_void) -> bool = fill at 24,
    }

    /// A table that a program keeps for stores. Entries are optional, so that null ones can be seen.
    #[derive(Clone, Copy)]
    struct BackendOps = "smem_conf_store_backend_op_t", 80 bytes, align 8 {
        distributed: Option<unsafe extern "C-unwind" fn(u32) -> bool> = distributed at 0,
        create: Option<unsafe extern "C-unwind" fn(*const c_char, *const c_char, u32, *mut *mut c_void) -> i32> = create at 8,
        destroy: Option<unsafe extern "C-unwind" fn(*mut c_void)> = destroy at 16,
        put: Option<unsafe extern "C-unwind" fn(*mut c_void, *const c_char, *const c_void, u64, u32) -> i32> = put at 24,
        get: Option<unsafe extern "C-unwind" fn(*mut c_void, *const c_char, *mut c_void, u64, u32, *mut u64) -> i32> = get at 32,
        prefix_get: Option<unsafe extern "C-unwind" fn(*mut c_void, *const PrefixGetContext, u32) -> i32> = prefix_get at 40,
        remove: Option<NameOperation> = remove at 48,
        lock: Option<NameOperation> = lock at 56,
        try_lock: Option<NameOperation> = try_lock at 64,
        unlock: Option<NameOperation> = unlock at 72,
    }

    /// Options to connect to a store.
    #[derive(Clone, Copy)]
    struct StoreOptions = "mfx_store_options_t", 64 bytes, align 8 {
        struct_bytes: u32 = structBytes at 0,
        world_size: u32 = worldSize at 4,
        wish: RankWish = wish at 8,
        rank: u32 = rank at 12,
        device_id: u32 = deviceId at 16,
        flags: u32 = flags at 20,
        connect_timeout_ms: u32 = connectTimeoutMs at 24,
        request_timeout_ms: u32 = requestTimeoutMs at 28,
        secret: *const c_void = secret at 32,
        secret_bytes: u64 = secretBytes at 40,
        tls_info: *const c_char = tlsInfo at 48,
        plaintext: u32 = plaintext at 56,
        reserved: u32 = reserved at 60,
    }

    /// This process as a store knows it.
    #[derive(Clone, Copy, Default)]
    struct StoreMember = "mfx_store_member_t", 32 bytes, align 8 {
        session: u64 = session at 0,
        term: u64 = term at 8,
        rank: u32 = rank at 16,
        world_size: u32 = worldSize at 20,
        connected: u32 = connected at 24,
        is_leader: u32 = isLeader at 28,
    }

    /// A key with its value, lent for a callback.
    struct StoreEntry = "mfx_store_entry_t", 40 bytes, align 8 {
        key: *const c_char = key at 0,
        value: *const c_void = value at 8,
        bytes: u64 = bytes at 16,
        revision: u64 = revision at 24,
        owner: i64 = owner at 32,
    }

    /// A member of a job, lent for a callback.
    struct StorePeer = "mfx_store_peer_t", 32 bytes, align 8 {
        session: u64 = session at 0,
        host: *const c_char = host at 8,
        rank: u32 = rank at 16,
        pid: u32 = pid at 20,
        device_id: u32 = deviceId at 24,
        reserved: u32 = reserved at 28,
    }

    /// Configuration of the pool of offload.
    #[derive(Clone, Copy)]
    struct OffloadConfig = "offload_config_t", 112 bytes, align 8 {
        device_id: u32 = device_id at 0,
        reserve_size: u64 = reserve_size at 8,
        alloc_size: u64 = alloc_size at 16,
        world_size: u32 = world_size at 24,
        rank_id: u32 = rank_id at 28,
        scene: OffloadScene = scene at 32,
        store_url: [c_char; 64] = store_url at 36,
        flags: u32 = flags at 100,
        local_world_size: u32 = local_world_size at 104,
    }

    /// Configuration of a cache.
    #[derive(Clone, Copy)]
    struct CacheConfig = "mfx_cache_config_t", 56 bytes, align 8 {
        struct_bytes: u32 = structBytes at 0,
        replicas: u32 = replicas at 4,
        index_entries: u64 = indexEntries at 8,
        read_lease_ms: u64 = readLeaseMs at 16,
        flags: u32 = flags at 24,
        reserved: u32 = reserved at 28,
        name: *const c_char = name at 32,
        disk: *const c_char = disk at 40,
        disk_bytes: u64 = diskBytes at 48,
    }

    /// Options to put a value.
    #[derive(Clone, Copy, Default)]
    struct CachePut = "mfx_cache_put_t", 12 bytes, align 4 {
        replicas: u32 = replicas at 0,
        flags: u32 = flags at 4,
        preferred: u32 = preferred at 8,
    }

    /// A piece of a value, in memory of the program.
    #[derive(Clone, Copy)]
    struct CachePiece = "mfx_cache_piece_t", 24 bytes, align 8 {
        address: *mut c_void = address at 0,
        bytes: u64 = bytes at 8,
        offset: u64 = offset at 16,
    }

    /// A member of a cache.
    #[derive(Clone, Copy)]
    struct CacheMember = "mfx_cache_member_t", 272 bytes, align 8 {
        capacity_bytes: u64 = capacityBytes at 0,
        rank: u32 = rank at 8,
        near: u32 = near at 12,
        name: [c_char; 256] = name at 16,
    }

    /// A value that is not evicted for a while.
    #[derive(Clone, Copy)]
    struct CacheLease = "mfx_cache_lease_t", 48 bytes, align 8 {
        address: *const c_void = address at 0,
        bytes: u64 = bytes at 8,
        until_ms: u64 = untilMs at 16,
        place: u64 = place at 24,
        state: u64 = state at 32,
        stamp: u64 = stamp at 40,
    }

    /// State of a cache, and this process's operations on it.
    #[derive(Clone, Copy, Default)]
    struct CacheStats = "mfx_cache_stats_t", 80 bytes, align 8 {
        members: u64 = members at 0,
        capacity_bytes: u64 = capacityBytes at 8,
        managed_bytes: u64 = managedBytes at 16,
        free_bytes: u64 = freeBytes at 24,
        hits: u64 = hits at 32,
        misses: u64 = misses at 40,
        puts: u64 = puts at 48,
        removals: u64 = removals at 56,
        evictions: u64 = evictions at 64,
        replicas_missing: u64 = replicasMissing at 72,
    }

    /// Figures of the tier on disk of this process.
    #[derive(Clone, Copy, Default)]
    struct CacheDiskStats = "mfx_cache_disk_stats_t", 104 bytes, align 8 {
        struct_bytes: u32 = structBytes at 0,
        off: u32 = off at 4,
        capacity_bytes: u64 = capacityBytes at 8,
        bytes: u64 = bytes at 16,
        values: u64 = values at 24,
        hits: u64 = hits at 32,
        admissions: u64 = admissions at 40,
        drops: u64 = drops at 48,
        lost: u64 = lost at 56,
        demotions: u64 = demotions at 64,
        promotions: u64 = promotions at 72,
        queue_bytes: u64 = queueBytes at 80,
        written_bytes: u64 = writtenBytes at 88,
        faults: u64 = faults at 96,
    }

    /// Results of a prefetch, in keys.
    #[derive(Clone, Copy, Default)]
    struct CachePrefetchCounts = "mfx_cache_prefetch_counts_t", 48 bytes, align 8 {
        keys: u64 = keys at 0,
        present: u64 = present at 8,
        fetched: u64 = fetched at 16,
        missing: u64 = missing at 24,
        failed: u64 = failed at 32,
        dropped: u64 = dropped at 40,
    }

    /// Description of a buffer.
    #[derive(Clone, Copy)]
    struct HmcBufferInfo = "mfx_hmc_buffer_info_t", 32 bytes, align 8 {
        address: *mut c_void = ptr at 0,
        bytes: u64 = bytes at 8,
        kind: i32 = type at 16,
        resolved: i32 = resolved at 20,
        device: i32 = device at 24,
        reserved: i32 = reserved at 28,
    }

    /// Header of a message of the control channel.
    #[derive(Clone, Copy)]
    struct HmcFrame = "mfx_hmc_frame_t", 8 bytes, align 4 {
        kind: u16 = type at 0,
        flags: u16 = flags at 2,
        bytes: u32 = bytes at 4,
    }

    /// Options of a message server.
    struct AccTcpOptions = "smem_acc_tcp_server_options_t", 24 bytes, align 8 {
        listen_ip: *const c_char = listen_ip at 0,
        listen_port: u16 = listen_port at 8,
        worker_count: u16 = worker_count at 10,
        link_send_queue_size: u16 = link_send_queue_size at 12,
        magic: i16 = magic at 14,
        version: i16 = version at 16,
        enable_listener: u8 = enable_listener at 18,
    }

    /// Options of an HTTP server.
    struct AccHttpOptions = "smem_acc_http_server_options_t", 24 bytes, align 8 {
        listen_ip: *const c_char = listen_ip at 0,
        listen_port: u16 = listen_port at 8,
        worker_count: u16 = worker_count at 10,
        max_body_size: usize = max_body_size at 16,
    }

    /// A peer's introduction when it connects.
    struct AccConnectRequest = "smem_acc_connect_request_t", 16 bytes, align 8 {
        magic: i16 = magic at 0,
        version: i16 = version at 2,
        reconnect: u8 = reconnect at 4,
        rank_id: u64 = rank_id at 8,
    }

    /// Header of a message body.
    #[derive(Clone, Copy)]
    struct AccMessage = "smem_acc_message_t", 12 bytes, align 4 {
        kind: i16 = type at 0,
        result: i16 = result at 2,
        body_len: u32 = body_len at 4,
        seq_no: u32 = seq_no at 8,
    }

    /// The same with a checksum.
    #[derive(Clone, Copy)]
    struct AccMessageV2 = "smem_acc_message_v2_t", 16 bytes, align 4 {
        kind: i16 = type at 0,
        result: i16 = result at 2,
        body_len: u32 = body_len at 4,
        seq_no: u32 = seq_no at 8,
        crc: u32 = crc at 12,
    }

    /// Destination of trace points, and a program's own functions.
    struct Tracer = "ptracer", 32 bytes, align 8 {
        enabled: AtomicBool = enabled at 0,
        trace_begin: TraceBeginFn = trace_begin at 8,
        trace_end: TraceEndFn = trace_end at 16,
        current_time_ns: TraceClockFn = current_time_ns at 24,
    }

    /// Destination of the tracer's output.
    struct TracerConfig = "ptracer_config_t", 16 bytes, align 8 {
        tracer_type: i32 = tracerType at 0,
        dump_file_path: *const c_char = dumpFilePath at 8,
    }

    /// [`BmConfig`] of the interface of 2025.
    #[derive(Clone, Copy)]
    struct BmConfigV0 = "smem_bm_config_v0_t", 24 bytes, align 4 {
        init_timeout: u32 = initTimeout at 0,
        create_timeout: u32 = createTimeout at 4,
        control_operation_timeout: u32 = controlOperationTimeout at 8,
        start_config_store: u8 = startConfigStore at 12,
        start_config_store_only: u8 = startConfigStoreOnly at 13,
        dynamic_world_size: u8 = dynamicWorldSize at 14,
        unified_address_space: u8 = unifiedAddressSpace at 15,
        auto_ranking: u8 = autoRanking at 16,
        rank_id: u16 = rankId at 18,
        flags: u32 = flags at 20,
    }
}
