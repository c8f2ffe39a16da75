// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers, by their names in C.

use crate::describe::constants;

constants! {
    u32 {
        SMEM_ABI_VERSION = 0x0001_0003;
        SMEM_WORLD_SIZE_MAX = 16384;
        SMEM_BM_TIMEOUT_MAX = u32::MAX;
        SMEM_SHM_TIMEOUT_MAX = u32::MAX;
        SMEM_SHM_ATOMIC_NUM_LIMIT = 1024;
        SMEM_TRANS_RANK_COUNT_MAX = 512;

        OFFLOAD_FLAG_GIANT_PAGE = 1;
        OFFLOAD_ENTRY_GATHER_MAX_ENTRY_BYTES = 65536;
    }
    usize {
        SMEM_TLS_PATH_SIZE = 256;
    }
    u64 {
        SMEM_STORE_SKIP_RECOVER = 1;
    }
    i32 {
        SMEM_INVALID_DEV_ID = -1;

        SMEM_OK = 0;
        SMEM_ERROR = -1;
        SMEM_INVALID_PARAM = -2000;
        SMEM_MALLOC_FAILED = -2001;
        SMEM_NO_RESOURCES = -2002;
        SMEM_NOT_STARTED = -2003;
        SMEM_TIMEOUT = -2004;
        SMEM_REPEAT_INVOKE = -2005;
        SMEM_DUPLICATED = -2006;
        SMEM_NOT_EXIST = -2007;
        SMEM_NOT_INIT = -2008;
        SMEM_RES_IN_USE = -2009;
        SMEM_PARTIAL_FAILED = -2012;
        SMEM_NOT_CONNECTED = -2014;
        SMEM_BUFFER_TOO_SMALL = -2015;
        MFX_BM_NOT_AT_ONCE = 1;
        MFX_CANCELLED = -2098;
        MFX_INTERRUPTED = -2099;

        OFFLOAD_SCENE_LOCAL = 0;
        OFFLOAD_SCENE_SHARED = 1;

        SMEM_STORE_BACKEND_CODE_OK = 0;
        SMEM_STORE_BACKEND_CODE_BASE = -3000;
        SMEM_STORE_BACKEND_CODE_INTERNAL = -3000;
        SMEM_STORE_BACKEND_CODE_INVAL = -3001;
        SMEM_STORE_BACKEND_CODE_BUFEX = -3002;
        SMEM_STORE_BACKEND_CODE_PERM = -3003;
        SMEM_STORE_BACKEND_CODE_NORES = -3004;
        SMEM_STORE_BACKEND_CODE_NOENT = -3005;
        SMEM_STORE_BACKEND_CODE_LOCKED = -3006;
        SMEM_STORE_BACKEND_CODE_UNLOCKED = -3007;

        MFX_ACC_ERROR = -1;
        MFX_ACC_NO_MEMORY = -3;
        MFX_ACC_INVALID_PARAM = -4;
        MFX_ACC_NOT_STARTED = -5;
        MFX_ACC_TIMEOUT = -6;
        MFX_ACC_NOT_CONNECTED = -7;
        MFX_ACC_REFUSED = -9;
        MFX_ACC_QUEUE_FULL = -10;
        MFX_ACC_LINK_BROKEN = -11;
        MFX_ACC_ADDRESS_IN_USE = -17;
        MFX_ACC_NULL = -3000;

        MFX_HMC_SUCCESS = 0;
        MFX_HMC_ERROR = 1;
        MFX_HMC_UNSUPPORT = 2;
        MFX_HMC_INVALID_CONFIG = 3;
        MFX_HMC_TIMEOUT = 4;
        MFX_HMC_NOT_FOUND = 5;

        MFX_HMC_DEFAULT = 0;
        MFX_HMC_CPU = 1;
        MFX_HMC_NVIDIA_GPU = 2;
        MFX_HMC_AMD_GPU = 3;
        MFX_HMC_CAMBRICON_MLU = 4;
        MFX_HMC_MOORE_GPU = 5;
        MFX_HMC_ASCEND_NPU = 6;

        MFX_HMC_RDMA = 0;
        MFX_HMC_UCX = 1;

        MFX_ACC_SENT = 0;
        MFX_ACC_SENT_TIMEOUT = 1;
        MFX_ACC_SENT_BROKEN = 2;
    }
    u16 {
        SMEM_ALARM_CERTIFICATE_EXPIRY = 1;
        SMEM_ALARM_STORE_LOST = 2;
    }
    u32 {
        SMEM_MEM_TYPE_LOCAL_DEVICE = 0;
        SMEM_MEM_TYPE_LOCAL_HOST = 1;
        SMEM_MEM_TYPE_DEVICE = 2;
        SMEM_MEM_TYPE_HOST = 3;
        SMEM_MEM_TYPE_BUTT = 4;

        SMEMB_DATA_OP_SDMA = 1;
        SMEMB_DATA_OP_HOST_RDMA = 2;
        SMEMB_DATA_OP_HOST_TCP = 4;
        SMEMB_DATA_OP_DEVICE_RDMA = 8;
        SMEMB_DATA_OP_HOST_URMA = 16;
        SMEMB_DATA_OP_HOST_SHM = 32;
        SMEMB_DATA_OP_DEVICE_URMA = 64;
        SMEMB_DATA_OP_DEVICE_UBOE = 128;
        SMEMB_DATA_OP_BUTT = 129;

        SMEMB_COPY_L2G = 0;
        SMEMB_COPY_G2L = 1;
        SMEMB_COPY_G2H = 2;
        SMEMB_COPY_H2G = 3;
        SMEMB_COPY_L2GH = 4;
        SMEMB_COPY_GH2L = 5;
        SMEMB_COPY_GH2H = 6;
        SMEMB_COPY_H2GH = 7;
        SMEMB_COPY_G2G = 8;
        SMEMB_COPY_AUTO = 9;
        SMEMB_COPY_BUTT = 10;

        SMEM_GROUP_EVENT_JOIN = 0;
        SMEM_GROUP_EVENT_LEAVE = 1;
        SMEM_MEMBER_EVENT_BUTT = 2;

        SMEM_TRANS_NONE = 0;
        SMEM_TRANS_SENDER = 1;
        SMEM_TRANS_RECEIVER = 2;
        SMEM_TRANS_BOTH = 3;
        SMEM_TRANS_BUTT = 4;
        SMEM_TRANS_OP_READ = 0;
        SMEM_TRANS_OP_WRITE = 1;

        ASYNC_COPY_FLAG = 1;
        COPY_EXTEND_FLAG = 1 << 1;
        SMEM_BM_FLAG_USE_EXTERNAL_STREAM = 1 << 2;
        MFX_BM_COPY_AT_ONCE = 1 << 31;

        SMEM_BM_BIND_NUMA_FLAG_INDEX = 0;
        SMEM_BM_BIND_NUMA_FLAG_LEN = 7;
        SMEM_BM_BIND_NUMA_AUTO_AFFINITY_FLAG = 127;
        SMEM_BM_PERFORMANCE_MODE_FLAG_INDEX = 7;
        SMEM_BM_PERFORMANCE_MODE_FLAG_LEN = 1;
        SMEM_BM_FLAG_CREATE_WITH_SHM = 1 << 8;
        SMEM_BM_FLAG_DRAM_MAP_HOST_VA = 1 << 9;
        SMEM_BM_FLAG_DRAM_BEST_EFFORT = 1 << 10;
        MFX_BM_INIT_ORDERED_RANKS = 1 << 31;
        MFX_BM_FLAG_MAX_OF_POOL = 1 << 30;

        SMEMS_DATA_OP_MTE = 1;
        SMEMS_DATA_OP_SDMA = 2;
        SMEMS_DATA_OP_RDMA = 4;
        SMEMS_DATA_OP_ROCE = 4;

        MFX_RETRY_NEVER = 0;
        MFX_RETRY_LATER = 1;
        MFX_RETRY_AFTER_RECONNECT = 2;
        MFX_RETRY_AT_ONCE = 3;

        MFX_UNIQUE_ID_BYTES = 57;

        MFX_RANK_ANY = 0;
        MFX_RANK_PREFER = 1;
        MFX_RANK_EXACTLY = 2;
        MFX_RANK_GUEST = 3;

        MFX_PERMANENT = 0;
        MFX_SESSION = 1;
        MFX_LEASE = 2;

        MFX_CHANGE_PUT = 0;
        MFX_CHANGE_DELETED = 1;
        MFX_CHANGE_LEFT = 2;
        MFX_CHANGE_LOST = 3;
        MFX_CHANGE_EXPIRED = 4;
        MFX_CHANGE_JOINED = 5;
        MFX_CHANGE_STORE_LOST = 6;

        MFX_ATOMIC_ADD = 0;
        MFX_ATOMIC_AND = 1;
        MFX_ATOMIC_OR = 2;
        MFX_ATOMIC_XOR = 3;
        MFX_ATOMIC_SWAP = 4;
        MFX_ATOMIC_COMPARE_SWAP = 5;
        MFX_ATOMIC_FETCH = 6;

        MFX_SIGNAL_SET = 0;
        MFX_SIGNAL_ADD = 1;

        MFX_TRANS_READ = 1;
        MFX_TRANS_MESSAGE_BYTES_MAX = 4096;

        MFX_CACHE_KEY_BYTES_MAX = 4096;
        MFX_CACHE_REPLICAS_MAX = 4;
        MFX_CACHE_KEEP = 1;
        MFX_CACHE_PIN = 2;
        MFX_CACHE_PREFER = 4;
        MFX_CACHE_GUEST = 1;
        MFX_CACHE_DISK_ALL = 2;
        MFX_CACHE_DISK_REUSED = 4;
        MFX_CACHE_NAME_BYTES_MAX = 255;
        MFX_CACHE_REMOVED = 0;
        MFX_CACHE_EVICTED = 1;

        MFX_HMC_TO_DEVICE = 1;
        MFX_HMC_TO_HOST = 2;
        MFX_HMC_ON_DEVICE = 3;

        MFX_STORE_START = 1;
        MFX_STORE_DYNAMIC = 2;
        MFX_STORE_ALL_KEYS = 4;
        MFX_STORE_SKIP_RECOVERY = 8;

        MFX_ACC_HTTP_GET = 0;
        MFX_ACC_HTTP_HEAD = 1;
        MFX_ACC_HTTP_POST = 2;
        MFX_ACC_HTTP_PUT = 3;
        MFX_ACC_HTTP_DELETE = 4;
        MFX_ACC_HTTP_CONNECT = 5;
        MFX_ACC_HTTP_OPTIONS = 6;
        MFX_ACC_HTTP_TRACE = 7;
        MFX_ACC_HTTP_PATCH = 8;
    }
}

/// `MFX_DEFAULT_STREAM`, which is a pointer in C: the default stream of the thread's context; that stream's
/// own name is null.
pub const MFX_DEFAULT_STREAM: usize = usize::MAX;
/// Means "no value" in the place of its length.
pub const ABSENT: u64 = u64::MAX;
/// The rank that functions return for "no rank".
pub const NO_RANK: u32 = u32::MAX;
