/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Wrong arguments of smem_bm_config_init and smem_bm_init, and unknown peers at the store's address. */
#include "ranks.h"

#include "check.h"

static const char *const bad_urls[] = {
    "", "tcp", "tcp:", "tcp:/", "tcp://", "//127.0.0.1:5570", "127.0.0.1:5570", "tcp:/127.0.0.1:5570",
    "tcp:://127.0.0.1:5570", "udp://127.0.0.1:5570", "http://127.0.0.1:5570", "unknown://127.0.0.1:5570",
    "etcd://127.0.0.1", "reg://127.0.0.1:2379#a",
    "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://:5570", "tcp://127.0.0.1:0", "tcp://127.0.0.1:80",
    "tcp://127.0.0.1:1024", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:-5570", "tcp://127.0.0.1:+5570",
    "tcp://127.0.0.1:99999999999999999999", "tcp://127.0.0.1:0x15c2", "tcp://127.0.0.1:5570x", "tcp://127.0.0.1: 5570",
    "tcp://127.0.0.1:5570 ", "tcp://127.0.0.1:5570/", "tcp://127.0.0.1:5570:5571", "tcp://local host:5570",
    "tcp://127.0.0:5570", "tcp://256.0.0.1:5570", "tcp://1.2.3.4.5:5570", "tcp://127.0.0.1/8:5570", "tcp://::1:5570",
    "tcp://[::1:5570", "tcp://[::1]", "tcp://[::1]5570", "tcp://[::g]:5570", "tcp6://127.0.0.1:5570",
};

static smem_bm_config_t defaults(void)
{
    smem_bm_config_t config;
    memset(&config, 0xA5, sizeof config);
    OK(smem_bm_config_init(&config));
    return config;
}

static void config_init(void)
{
    smem_bm_config_t config = defaults();
    FAILS(SMEM_INVALID_PARAM, smem_bm_config_init(NULL));
    CHECK(config.initTimeout == 120 && config.createTimeout == 120 && config.controlOperationTimeout == 900);
    CHECK(config.startConfigStoreServer && !config.startConfigStoreOnly && !config.dynamicWorldSize);
    CHECK(config.unifiedAddressSpace && config.autoRanking && config.rankId == 65535 && config.flags == 0);
    CHECK(config.hcomUrl[0] == '\0' && !config.hcomTlsConfig.tlsEnable && !config.storeTlsConfig.tlsEnable);
}

static const char *const bad_nics[] = {
    "udp://127.0.0.1:10005", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:80", "tcp://127.0.0.1/33:10005", "tcp://127.0.0.1:x",
    "tcp://[::1:10005", "tcp://", "tcp://127.0.0.300:10005", "tcp://127.0.0.1:10005;tcp://127.0.0.1:x"};

static void refused_at_once(void)
{
    char url[64], huge[5000];
    smem_bm_config_t config = defaults();
    size_t i;
    free_url(url, sizeof url);

    for (i = 0; i < sizeof bad_urls / sizeof bad_urls[0]; i++) {
        int before = check_failures;
        FAILS(SMEM_INVALID_PARAM, smem_bm_init(bad_urls[i], 1, 0, &config));
        if (check_failures != before) printf("  with url \"%s\"\n", bad_urls[i]);
    }
    memset(huge, '1', sizeof huge);
    memcpy(huge, "tcp://", 6);
    huge[sizeof huge - 1] = '\0';
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(huge, 1, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_bm_init("tcp://\xff\xfe:5570", 1, 0, &config));

    FAILS(SMEM_INVALID_PARAM, smem_bm_init(NULL, 1, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 0, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 16385, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, UINT32_MAX, 0, &config));
    config.initTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
    config = defaults();
    config.createTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
    config = defaults();
    config.controlOperationTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
    config = defaults();
    config.unifiedAddressSpace = false;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
    config = defaults();
    config.autoRanking = false;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config)); /* rank 65535 */
    config.rankId = 4;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 4, 0, &config));
    config = defaults();
    config.storeTlsConfig.tlsEnable = true;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config)); /* not in this release, and it says so */
    for (i = 0; i < sizeof bad_nics / sizeof bad_nics[0]; i++) {
        int before = check_failures;
        config = defaults();
        strcpy(config.hcomUrl, bad_nics[i]);
        FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
        if (check_failures != before) printf("  with hcomUrl \"%s\"\n", bad_nics[i]);
    }
    config = defaults();
    memset(config.hcomUrl, '1', sizeof config.hcomUrl);
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config)); /* it does not end */
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
}

/* Answers every connection with text that is not ours, or keeps silent. Never returns. */
static void unknown_peer(int listener, const char *text)
{
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0) _exit(0);
        if (text == NULL) continue;
        if (write(fd, text, strlen(text)) < 0) _exit(1);
        close(fd);
    }
}

static void unknown_peers(void)
{
    static const char *const texts[] = {NULL, "", "HTTP/1.1 400 Bad Request\r\n\r\n", "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f"};
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char url[64];
        uint16_t port = 0;
        int listener = listen_anywhere(&port), status = 0;
        pid_t parent = getpid();
        pid_t child = fork();
        smem_bm_config_t config;
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() == parent) unknown_peer(listener, texts[i]);
            _exit(0);
        }
        close(listener);
        snprintf(url, sizeof url, "tcp://127.0.0.1:%u", (unsigned)port);
        config = defaults();
        config.initTimeout = 1;
        config.autoRanking = false;
        config.rankId = 0;
        FAILS(SMEM_RES_IN_USE, smem_bm_init(url, 2, 0, &config)); /* rank 0 cannot have the port */
        config.startConfigStoreServer = false;
        FAILS_AS(SMEM_NOT_CONNECTED, SMEM_TIMEOUT, smem_bm_init(url, 2, 0, &config));
        config.autoRanking = true;
        FAILS_AS(SMEM_NOT_CONNECTED, SMEM_TIMEOUT, smem_bm_init(url, 2, 0, &config));
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        CHECK(smem_bm_get_rank_id() == UINT32_MAX);
    }
}

static void nobody(void)
{
    char url[64];
    smem_bm_config_t config = defaults();
    free_url(url, sizeof url);
    config.initTimeout = 1;
    config.startConfigStoreServer = false;
    FAILS_AS(SMEM_NOT_CONNECTED, SMEM_TIMEOUT, smem_bm_init(url, 2, 0, &config));
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
}

int main(void)
{
    unknown_peers();
    nobody();
    config_init();
    refused_at_once();
    return check_result();
}
