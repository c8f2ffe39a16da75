/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Refusals of init, their codes, and the order of its checks; objects at the end of mapped memory. */
#include <shmem.h>

#include <ifaddrs.h>
#include <netdb.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

/* The first generations' functions, which the header has no names for. */
#undef shmem_init_attr
#undef shmem_get_uniqueid
#ifdef __cplusplus
extern "C" {
#endif
int shmem_init_attr(size_t first, void *second);
int shmem_get_uniqueid(void *uid);
#ifdef __cplusplus
}
#endif

static aclshmemx_init_attr_t good(void)
{
    aclshmemx_init_attr_t attr;
    memset((void *)&attr, 0, sizeof attr);
    attr.n_pes = 1;
    attr.local_mem_size = HEAP_BYTES;
    attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_MTE;
    attr.option_attr.shm_init_timeout = 20;
    attr.option_attr.control_operation_timeout = 20;
    job_address(attr.ip_port, 0);
    return attr;
}

static int begin(unsigned flags, aclshmemx_init_attr_t attr)
{
    int code = aclshmemx_init_attr((aclshmemx_bootstrap_t)flags, &attr);
    CHECK(code == 0 || aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    if (code != 0) CHECK(aclshmem_finalize() == 0);
    return code;
}

/* One row: the defect, and the code. */
#define REFUSED(flags, code, change) do { \
        aclshmemx_init_attr_t attr = good(); \
        change; \
        CHECK_CODE(begin(flags, attr), code); \
    } while (0)

static void values(void)
{
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, NULL), -1);
    REFUSED(1, -2, attr.my_pe = -1);
    REFUSED(1, -2, attr.n_pes = 0);
    REFUSED(1, -2, attr.n_pes = -1);
    REFUSED(1, -2, attr.n_pes = 16385);
    REFUSED(1, -1, attr.my_pe = 1);
    REFUSED(1, -1, attr.my_pe = 16384; attr.n_pes = 16384);
    REFUSED(1, -2, attr.local_mem_size = 0);
    REFUSED(1, -2, attr.local_mem_size = ACLSHMEM_MAX_LOCAL_SIZE + 1);
    REFUSED(1, -2, attr.local_mem_size = UINT64_MAX);
    REFUSED(1, -2, attr.option_attr.shm_init_timeout = 0);
    REFUSED(1, -2, attr.option_attr.control_operation_timeout = 0);
    REFUSED(1, -2, attr.option_attr.data_op_engine_type = (data_op_engine_type_t)0);
    REFUSED(1, -2, memset(&attr.option_attr.data_op_engine_type, 0x10, 1));
    /* The version is not checked. */
    REFUSED(0, -1, attr.option_attr.version = -7);
    REFUSED(0, -1, (void)attr);
    REFUSED(4, -1, (void)attr);
    REFUSED(1U << 31, -1, (void)attr);
    /* The order: the first defect is reported. */
    REFUSED(0, -2, attr.my_pe = -1; attr.n_pes = 16385);
    REFUSED(0, -1, attr.my_pe = 5; attr.local_mem_size = 0);
    REFUSED(0, -2, attr.local_mem_size = 0);
    REFUSED(8, -2, attr.local_mem_size = 0);
    REFUSED(8, -1, (void)attr);
    REFUSED(8 | 1, -1, (void)attr);
    /* This program has loaded no MPI. */
    REFUSED(2, -2, (void)attr);
    REFUSED(2 | 1, -2, (void)attr);
}

static void addresses(void)
{
    static const char *const wrong[] = {"", "tcp://", "tcp://127.0.0.1:", "tcp://127.0.0.1:80", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:0",
        "udp://127.0.0.1:8666", "tcp://a b:8666", "tcp6://127.0.0.1:8666", "tcp://[::1:8666", "tcp://127.0.0.1:8666x", "tcp://999.1.1.1:8666",
        "tcp://-/:8666", "tcp://127.0.0.1:+8666"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        aclshmemx_init_attr_t attr = good();
        strcpy(attr.ip_port, wrong[i]);
        int code = begin(1, attr);
        if (code != -1) printf("\"%s\"\n", wrong[i]);
        CHECK_CODE(code, -1);
    }
    /* No end in the array. */
    REFUSED(1, -1, memset(attr.ip_port, 'a', sizeof attr.ip_port));
    /* Nothing leaves the host in clear unless that was chosen. */
    REFUSED(1, -6, strcpy(attr.ip_port, "tcp://198.51.100.77:20001"));
    REFUSED(1, -6, strcpy(attr.ip_port, "tcp://198.51.100.77:20001"); attr.my_pe = 1; attr.n_pes = 2);
    /* An address of another machine cannot be bound. */
    CHECK(aclshmemx_set_conf_store_tls(false, NULL, 0) == 0);
    REFUSED(1, -4, strcpy(attr.ip_port, "tcp://198.51.100.77:20001"));
    /* PE 0 does not come. */
    REFUSED(1, -7, attr.my_pe = 1; attr.n_pes = 2; attr.option_attr.shm_init_timeout = 1);
    /* No socket. */
    REFUSED(1, -4, attr.option_attr.sockFd = 777);
}

/* True if this machine has an address. */
static int has(const char *address)
{
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_socktype = SOCK_DGRAM;
    int is_own = 0, fd = -1;
    if (getaddrinfo(address, NULL, &hints, &found) == 0) {
        fd = socket(found->ai_family, SOCK_DGRAM, 0);
        is_own = fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0;
        freeaddrinfo(found);
    }
    if (fd >= 0) close(fd);
    return is_own;
}

/* Addresses of this machine, written in every form. */
static void good_addresses(void)
{
    static const char *const hosts[] = {"tcp://127.0.0.1", "127.0.0.1", "tcp://localhost", "tcp6://[::1]", "[::1]"};
    char port[16];
    snprintf(port, sizeof port, ":%d", job_port(0));
    for (int i = 0; i < 5; i++) {
        aclshmemx_init_attr_t attr = good();
        if (strstr(hosts[i], "::1") != NULL && !has("::1")) continue;
        strcpy(attr.ip_port, hosts[i]);
        strcat(attr.ip_port, port);
        CHECK_CODE(begin(1, attr), 0);
        CHECK(aclshmem_finalize() == 0);
    }
    /* Another own address than the loopback: a job of one host is in clear. */
    struct ifaddrs *all = NULL;
    CHECK(getifaddrs(&all) == 0);
    for (struct ifaddrs *one = all; one != NULL; one = one->ifa_next) {
        char text[64];
        if (one->ifa_addr == NULL || one->ifa_addr->sa_family != AF_INET) continue;
        if (getnameinfo(one->ifa_addr, sizeof(struct sockaddr_in), text, 48, NULL, 0, NI_NUMERICHOST) != 0) continue;
        if (strncmp(text, "127.", 4) == 0 || !has(text)) continue;
        aclshmemx_init_attr_t attr = good();
        strcpy(attr.ip_port, "tcp://");
        strncat(attr.ip_port, text, 40);
        strcat(attr.ip_port, port);
        CHECK_CODE(begin(1, attr), 0);
        CHECK(aclshmem_finalize() == 0);
        break;
    }
    freeifaddrs(all);
}

/* An object that ends at a page's end, followed by unreadable memory. */
static void *at_end(const void *object, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && munmap(pages + page, page) == 0);
    memcpy(pages + page - bytes, object, bytes);
    return pages + page - bytes;
}

static void ends(void)
{
    static const size_t sizes[] = {104, 112, 120};
    for (int i = 0; i < 3; i++) {
        aclshmemx_init_attr_t attr = good();
        void *short_one = at_end((void *)&attr, sizes[i]);
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, (aclshmemx_init_attr_t *)short_one), 0);
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, (aclshmemx_init_attr_t *)short_one), -4);
        /* Null is found before that, and values behind it. */
        aclshmemx_init_attr_t other = good();
        other.my_pe = -1;
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, NULL), -1);
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &other), -4);
        CHECK(aclshmem_my_pe() == 0 && aclshmem_n_pes() == 1 && aclshmem_finalize() == 0 && aclshmem_finalize() == 0);
        CHECK(aclshmem_my_pe() == -1 && aclshmem_n_pes() == -1);
        if (i == 2) continue;
        /* The first generations: attributes alone, or flags of their own before them. */
        CHECK_CODE(i == 0 ? shmem_init_attr((size_t)short_one, (void *)3) : shmem_init_attr(4, short_one), 0);
        CHECK(aclshmem_finalize() == 0);
    }
    aclshmemx_init_attr_t attr = good();
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, (aclshmemx_init_attr_t *)at_end((void *)&attr, 103)), -1);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, (aclshmemx_init_attr_t *)64), -1);
    CHECK_CODE(shmem_init_attr(0, &attr), -1);
    CHECK_CODE(shmem_init_attr(8192, &attr), -1);
    CHECK_CODE(shmem_init_attr(8, &attr), -1);
    /* Memory behind an object of 112 bytes is not an instance id. */
    attr.instance_id = 7;
    CHECK_CODE(begin(1, attr), 0);
    CHECK(aclshmemx_instance_ctx_get()->id == 0 && aclshmem_finalize() == 0);
    attr.instance_id = 0x7fff12345678ULL;
    CHECK_CODE(begin(1, attr), 0);
    CHECK(aclshmem_finalize() == 0);
}

static void ids(void)
{
    aclshmemx_uniqueid_t id;
    char first[80];
    memset(first, 0x5a, sizeof first);
    memset(&id, 0, sizeof id);
    aclshmemx_init_attr_t attr = good();
    memset(attr.ip_port, 0, sizeof attr.ip_port);
    attr.comm_args = &id;
    CHECK_CODE(begin(8, attr), -1);
    memset(&id, 0xff, sizeof id);
    CHECK_CODE(begin(8, attr), -1);
    CHECK_CODE(begin(1, attr), -1);
    attr.comm_args = (void *)16;
    CHECK_CODE(begin(8, attr), -1);
    /* One bit is wrong; then the whole id, by which an address is not needed. */
    attr.comm_args = &id;
    CHECK_CODE(aclshmemx_get_uniqueid(&id), 0);
    id.internal[20] ^= 1;
    CHECK_CODE(begin(8, attr), -1);
    id.internal[20] ^= 1;
    CHECK_CODE(begin(1, attr), 0);
    CHECK(aclshmem_finalize() == 0);
    /* It is cut off by the end of memory. */
    CHECK_CODE(aclshmemx_get_uniqueid(&id), 0);
    attr.comm_args = at_end(&id, 60);
    CHECK_CODE(begin(8, attr), -1);
    /* The first generations' object has 64 bytes, and keeps the version of 128. */
    CHECK_CODE(shmem_get_uniqueid(first), 0);
    CHECK(((unsigned char *)first)[0] == 0x40 && first[64] == 0x5a && first[65] == 0x5a);
    first[0] = (char)0x80;
    first[1] = 0;
    first[2] = 1;
    first[3] = 0;
    CHECK_CODE(shmem_get_uniqueid(first), 0);
    CHECK(((unsigned char *)first)[0] == 0x80 && first[64] == 0x5a);
    attr.comm_args = first;
    CHECK_CODE(shmem_init_attr(1, &attr), 0);
    CHECK(aclshmem_finalize() == 0);
}

static void variables(void)
{
    aclshmemx_uniqueid_t id;
    static const char *const wrong[] = {"here", "127.0.0.1", "127.0.0.1:80", "tcp://127.0.0.1:20000", "[::1]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("SHMEM_UID_SESSION_ID", wrong[i], 1);
        CHECK_CODE(aclshmemx_get_uniqueid(&id), -1);
    }
    setenv("SHMEM_UID_SESSION_ID", "198.51.100.77:20000", 1);
    CHECK_CODE(aclshmemx_get_uniqueid(&id), -4);
    char address[64];
    job_address(address, 0);
    setenv("SHMEM_UID_SESSION_ID", address + strlen("tcp://"), 1);
    CHECK_CODE(aclshmemx_get_uniqueid(&id), 0);
    /* The socket is bound at once. */
    CHECK_CODE(aclshmemx_get_uniqueid(&id), -4);
    unsetenv("SHMEM_UID_SESSION_ID");
    setenv("ACLSHMEM_UID_SOCK_IFNAME", "lo:inet4", 1);
    CHECK_CODE(aclshmemx_get_uniqueid(&id), 0);
    setenv("SHMEM_UID_SOCK_IFNAME", "no_such_interface", 1);
    CHECK_CODE(aclshmemx_get_uniqueid(&id), -4);
    setenv("SHMEM_UID_SOCK_IFNAME", ":inet4", 1);
    CHECK_CODE(aclshmemx_get_uniqueid(&id), -1);
    unsetenv("SHMEM_UID_SOCK_IFNAME");
    unsetenv("ACLSHMEM_UID_SOCK_IFNAME");
}

/* Invalid certificates: an error of the bootstrap, never plaintext. */
static void certificates(void)
{
    static const char info[] = "tlsCaPath: /nowhere; tlsCert: /nowhere/cert.pem; tlsCaFile: ca.pem;";
    CHECK(aclshmemx_set_conf_store_tls(true, info, sizeof info - 1) == 0);
    CHECK(aclshmemx_set_config_store_tls_key("key", 3, "pw", 2, NULL) == 0);
    REFUSED(1, -6, (void)attr);
    CHECK(aclshmemx_set_conf_store_tls(true, NULL, 5) == -1);
    CHECK(aclshmemx_set_conf_store_tls(false, NULL, 0) == 0);
}

/* Random contents are refused, and unreadable targets of their pointers are not accessed. */
static void random_contents(void)
{
    unsigned state = 1;
    for (int round = 0; round < 2000; round++) {
        unsigned char bytes[136];
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1103515245U + 12345U;
            bytes[i] = (unsigned char)(state >> 16);
        }
        aclshmemx_init_attr_t attr = good();
        unsigned flags = round % 2 == 0 ? 8 : 1;
        if (round % 4 < 2) {
            /* A job of one PE, without an address, by a random id or a random pointer. */
            memset(attr.ip_port, 0, sizeof attr.ip_port);
            attr.comm_args = bytes;
            if (round % 8 < 4) memcpy(&attr.comm_args, bytes, sizeof attr.comm_args);
        } else {
            memcpy((void *)&attr, bytes, sizeof attr);
        }
        CHECK(aclshmemx_init_attr((aclshmemx_bootstrap_t)flags, &attr) < 0);
    }
}

/* A setting lifts the limit of the heap: to what one instance may have, of which nothing is touched but its
 * ends. */
static void limit(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        const uint64_t all = UINT64_C(128) << 30;
        setenv("MF_SHMEM_LIMIT", "128GiB", 1);
        aclshmemx_init_attr_t attr = good();
        attr.local_mem_size = all + (2 << 20);
        CHECK_CODE(begin(1, attr), -2);
        attr.local_mem_size = all;
        CHECK_CODE(begin(1, attr), 0);
        char *block = (char *)aclshmem_malloc(all);
        CHECK(block != NULL && aclshmem_malloc(64) == NULL);
        if (block != NULL) {
            aclshmem_uint64_p((uint64_t *)(void *)block, 1, 0);
            aclshmem_uint64_p((uint64_t *)(void *)(block + all - 8), 2, 0);
            CHECK(aclshmem_uint64_g((uint64_t *)(void *)block, 0) == 1);
            CHECK(aclshmem_uint64_g((uint64_t *)(void *)(block + all - 8), 0) == 2);
        }
        aclshmem_free(block);
        CHECK_CODE(aclshmem_finalize(), 0);
        _exit(check_result());
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void before_init(void)
{
    CHECK(aclshmem_malloc(8) == NULL && aclshmemx_malloc(8, HOST_SIDE) == NULL && aclshmem_calloc(1, 8) == NULL);
    CHECK(aclshmem_ptr(&check_failures, 0) == NULL && aclshmemx_get_heap_base(DEVICE_SIDE) == NULL);
    aclshmem_free(&check_failures);
    aclshmem_barrier_all();
    aclshmem_putmem(&check_failures, &check_failures, 4, 0);
    aclshmem_global_exit(9);
    CHECK(aclshmemx_set_mte_config(0, 64, 0) == -5 && aclshmemx_set_rdma_config(0, 1, 0) == -5);
    CHECK(aclshmemx_instance_ctx_get() == NULL && aclshmemx_instance_ctx_set(0) == -4 && aclshmemx_finalize(0) == -4);
    CHECK(aclshmem_float_g((float *)0, 0) == 0);
}

int main(void)
{
    /* All PEs of the launcher do the same, each by itself. */
    if (job_rank() != 0) return 0;
    limit();
    before_init();
    random_contents();
    values();
    good_addresses();
    addresses();
    ends();
    ids();
    variables();
    certificates();
    return check_result();
}
