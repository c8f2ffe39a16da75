/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The store over TLS with certificates, in each form of a C program: the tls_info text, key and password in
 * memory with a decrypt callback, the storeTlsConfig of the BM configuration, smem_config_store_set_tls, and
 * a decrypter library. Needs the program mf (MF_TEST_PROGRAM) to make certificates, and ends well without.
 */
#include "ranks.h"

#include "smem/host/smem_config_store_api.h"

#include "check.h"

static char folder[] = "/tmp/mf-tls-XXXXXX";
static int decrypted;

/* The "encryption" of this test: every byte is one higher. */
#ifdef __cplusplus
extern "C" {
static int decrypt(const char *cipher, size_t cipher_length, char *plain, size_t &plain_length)
{
    size_t *length = &plain_length;
#else
static int decrypt(const char *cipher, size_t cipher_length, char *plain, size_t *length)
{
#endif
    size_t i;
    if (*length < cipher_length) return 1;
    for (i = 0; i < cipher_length; i++) plain[i] = (char)(cipher[i] - 1);
    *length = cipher_length;
    decrypted = 1;
    return 0;
}
#ifdef __cplusplus
}
#endif

static int shell(const char *command)
{
    char line[1152];
    snprintf(line, sizeof line, "cd %s && { %s; } >log 2>&1", folder, command);
    return system(line);
}

static void tls_info(const char *name, int with_key, char *text, size_t size)
{
    char key[256] = "";
    if (with_key) snprintf(key, sizeof key, " tlsPk: %s/ca/%s.key;", folder, name);
    snprintf(text, size, "tlsCaPath: %s/ca; tlsCaFile: ca.pem; tlsCert: %s/ca/%s.pem;%s", folder, folder, name, key);
}

static size_t contents(const char *name, char *text, size_t size)
{
    char path[256];
    size_t length;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "r");
    if (file == NULL) return 0;
    length = fread(text, 1, size, file);
    fclose(file);
    return length;
}

/* A guest at url; SMEM_OK when it could set a key. */
static int32_t visit(const char *url)
{
    mfx_store_options_t options;
    mfx_store_t store;
    int32_t code;
    mfx_store_options_init(&options);
    options.connectTimeoutMs = 5000;
    store = mfx_store_connect(url, &options);
    if (store == NULL) return smem_get_last_err_code();
    code = mfx_store_set(store, "k", "v", 1);
    mfx_store_close(store);
    return code;
}

/* Plaintext and unknown peers are refused: a process of its own, which has set nothing about TLS but that. */
static int32_t visit_as(const char *url, const char *name)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        char info[1024];
        int32_t code = SMEM_OK;
        if (name == NULL) {
            code = smem_set_conf_store_tls(false, NULL, 0);
        } else {
            tls_info(name, 1, info, sizeof info);
            code = smem_set_conf_store_tls(true, info, (uint32_t)strlen(info));
        }
        if (code != SMEM_OK) _exit(100);
        code = visit(url);
        _exit(code == SMEM_OK ? 0 : code == SMEM_INVALID_PARAM ? 1 : 2);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void by_text(void)
{
    char url[64], info[1024];
    free_url(url, sizeof url);
    tls_info("one", 1, info, sizeof info);
    OK(smem_set_conf_store_tls(true, info, (uint32_t)strlen(info)));
    OK(smem_create_config_store(url, 0));
    OK(visit(url));
    CHECK(visit_as(url, "two") == 0);
    CHECK(visit_as(url, NULL) != 0);
    smem_destroy_config_store(url);
}

static void by_contents(void)
{
    char url[64], info[1024], key[8192];
    size_t length = contents("locked.key", key, sizeof key);
    CHECK(length > 0);
    free_url(url, sizeof url);
    tls_info("one", 0, info, sizeof info);
    /* The password is "secret". */
    OK(smem_set_config_store_tls_key(key, (uint32_t)length, "tfdsfu", 6, decrypt));
    OK(smem_set_conf_store_tls(true, info, (uint32_t)strlen(info)));
    CHECK(decrypted);
    OK(smem_create_config_store(url, 0));
    OK(visit(url));
    smem_destroy_config_store(url);
    FAILS(SMEM_INVALID_PARAM,
          (smem_set_config_store_tls_key(key, (uint32_t)length, "wrong", 5, decrypt),
           smem_set_conf_store_tls(true, info, (uint32_t)strlen(info))));
    OK(smem_set_config_store_tls_key(NULL, 0, NULL, 0, NULL));
    OK(smem_set_conf_store_tls(false, NULL, 0));
}

static void by_configuration(void)
{
    char url[64];
    smem_bm_config_t config;
    free_url(url, sizeof url);
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    config.storeTlsConfig.tlsEnable = true;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
    snprintf(config.storeTlsConfig.caPath, SMEM_TLS_PATH_SIZE, "%s/ca/ca.pem", folder);
    snprintf(config.storeTlsConfig.certPath, SMEM_TLS_PATH_SIZE, "%s/ca/one.pem", folder);
    snprintf(config.storeTlsConfig.keyPath, SMEM_TLS_PATH_SIZE, "%s/ca/absent.key", folder);
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config));
    snprintf(config.storeTlsConfig.keyPath, SMEM_TLS_PATH_SIZE, "%s/ca/one.key", folder);
    OK(smem_bm_init(url, 1, 0, &config));
    CHECK(visit_as(url, "two") == 0);
    CHECK(visit_as(url, NULL) != 0);
    smem_bm_uninit(0);
}

static void by_options(void)
{
    char url[64], ca[256], certificate[64] = "ca/one.pem", key[64] = "ca/one.key";
    smem_config_store_t store;
    smem_tls_options_t options;
    free_url(url, sizeof url);
    memset(&options, 0, sizeof options);
    snprintf(ca, sizeof ca, "ca");
    options.enable_tls = 1;
    options.tls_top_path = folder;
    options.tls_ca_path = ca, options.tls_ca_file = "ca.pem";
    options.tls_cert = certificate, options.tls_private_key = key;
    OK(smem_config_store_set_tls(&options, NULL, NULL));
    memset(ca, 'x', sizeof ca - 1); /* the strings were copied */
    memset(key, 'x', sizeof key - 1);
    store = smem_config_store_create_server(url);
    CHECK(store != NULL);
    CHECK(visit_as(url, "two") == 0);
    CHECK(visit_as(url, NULL) != 0);
    smem_config_store_destroy_server(store, url);
    OK(smem_config_store_set_tls(NULL, NULL, NULL));
}

/* A decrypter as programs bring it along: the room is a number, and the text ends with a zero byte. */
static const char decrypter[] =
    "#include <stddef.h>\n#include <stdint.h>\n"
    "int DecryptPassword(const char *cipher, size_t length, char *plain, int32_t room)\n"
    "{\n"
    "    size_t i;\n"
    "    if (room < 0 || (size_t)room <= length) return 1;\n"
    "    for (i = 0; i < length; i++) plain[i] = (char)(cipher[i] - 1);\n"
    "    plain[length] = 0;\n"
    "    return 0;\n"
    "}\n";

static void by_decrypter_library(void)
{
    char url[64], path[256], command[64];
    const char *compiler = getenv("CC");
    smem_bm_config_t config;
    smem_tls_options_t options;
    smem_config_store_t store;
    FILE *file;
    snprintf(path, sizeof path, "%s/decrypter.c", folder);
    file = fopen(path, "w");
    CHECK(file != NULL && fputs(decrypter, file) >= 0 && fclose(file) == 0);
    snprintf(command, sizeof command, "%s -shared -fPIC decrypter.c -o decrypter.so", compiler ? compiler : "cc");
    CHECK(shell(command) == 0 && shell("printf tfdsfu >password") == 0);

    free_url(url, sizeof url);
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    config.storeTlsConfig.tlsEnable = true;
    snprintf(config.storeTlsConfig.caPath, SMEM_TLS_PATH_SIZE, "%s/ca/ca.pem", folder);
    snprintf(config.storeTlsConfig.certPath, SMEM_TLS_PATH_SIZE, "%s/ca/one.pem", folder);
    snprintf(config.storeTlsConfig.keyPath, SMEM_TLS_PATH_SIZE, "%s/locked.key", folder);
    snprintf(config.storeTlsConfig.keyPassPath, SMEM_TLS_PATH_SIZE, "%s/password", folder);
    FAILS(SMEM_INVALID_PARAM, smem_bm_init(url, 1, 0, &config)); /* the text is not the password */
    snprintf(config.storeTlsConfig.decrypterLibPath, SMEM_TLS_PATH_SIZE, "%s/decrypter.so", folder);
    OK(smem_bm_init(url, 1, 0, &config));
    CHECK(visit_as(url, "two") == 0);
    smem_bm_uninit(0);

    /* Everything from the root, and no revocation list, as programs in the field fill the options in. */
    free_url(url, sizeof url);
    memset(&options, 0, sizeof options);
    options.enable_tls = 1;
    options.tls_top_path = options.tls_ca_path = options.tls_crl_path = "/";
    options.tls_crl_file = "";
    options.tls_ca_file = config.storeTlsConfig.caPath;
    options.tls_cert = config.storeTlsConfig.certPath;
    options.tls_private_key = config.storeTlsConfig.keyPath;
    options.tls_private_key_password = config.storeTlsConfig.keyPassPath;
    OK(smem_config_store_set_tls(&options, NULL, config.storeTlsConfig.decrypterLibPath));
    store = smem_config_store_create_server(url);
    CHECK(store != NULL);
    CHECK(visit_as(url, "two") == 0);
    smem_config_store_destroy_server(store, url);
    OK(smem_config_store_set_tls(NULL, NULL, NULL));
}

int main(void)
{
    const char *program = getenv("MF_TEST_PROGRAM");
    char command[1024];
    if (program == NULL || mkdtemp(folder) == NULL) return program == NULL ? 0 : 2;
    snprintf(command, sizeof command,
             "%s certs init ca && %s certs issue ca one --address 127.0.0.1 && %s certs issue ca two --address 127.0.0.1 && "
             "openssl pkcs8 -topk8 -in ca/one.key -out locked.key -v2 aes-256-cbc -passout pass:secret",
             program, program, program);
    if (shell(command) != 0) {
        snprintf(command, sizeof command, "cat %s/log", folder);
        CHECK(system(command) == 0);
        CHECK(!"the certificates could not be made");
        return check_result();
    }
    by_text();
    by_contents();
    by_configuration();
    by_options();
    by_decrypter_library();
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return check_result();
}
