/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Message servers over TLS, as programs in the field fill in the options: all paths absolute, "/" as the
 * folders, an encrypted key with a password decrypted by a callback. Needs the program mf (MF_TEST_PROGRAM)
 * and openssl to make certificates, and succeeds without them.
 */
#include "acc.h"

static char folder[] = "/tmp/mf-acc-XXXXXX";
static counter_t answers = COUNTER;
static int result_of_decrypter;

/* The "encryption" of this test: every byte is one higher. */
static int32_t decrypt(void *context, const char *cipher, size_t cipher_length, uint8_t *plain, size_t room)
{
    size_t i;
    CHECK(context == folder && room > cipher_length);
    for (i = 0; i < cipher_length; i++) plain[i] = (uint8_t)(cipher[i] - 1);
    plain[cipher_length] = 0;
    return result_of_decrypter;
}

static int32_t on_answer(void *context, const smem_acc_message_t *message, const void *data, uint32_t data_len,
                         smem_acc_link_t link)
{
    (void)context, (void)message, (void)link;
    CHECK(data_len == 5 && memcmp(data, "hello", 5) == 0);
    counter_add(&answers, 1);
    return 0;
}

static int shell(const char *command)
{
    char line[1152];
    snprintf(line, sizeof line, "cd %s && { %s; } >log 2>&1", folder, command);
    return system(line);
}

/* Files of the certificate `name`; its key is locked when `has_password`. */
static void identity(smem_tls_options_t *options, const char *name, int has_password)
{
    static char paths[4][256];
    memset(options, 0, sizeof *options);
    snprintf(paths[0], sizeof paths[0], "%s/ca/ca.pem", folder);
    snprintf(paths[1], sizeof paths[1], "%s/ca/%s.pem", folder, name);
    snprintf(paths[2], sizeof paths[2], has_password ? "%s/%s.locked" : "%s/ca/%s.key", folder, name);
    snprintf(paths[3], sizeof paths[3], "%s/password", folder);
    options->enable_tls = 1;
    options->tls_top_path = options->tls_ca_path = options->tls_crl_path = "/";
    options->tls_crl_file = "";
    options->tls_ca_file = paths[0];
    options->tls_cert = paths[1];
    options->tls_private_key = paths[2];
    options->tls_private_key_password = has_password ? paths[3] : "";
}

static smem_acc_server_t made(void)
{
    smem_acc_server_t server = smem_acc_tcp_server_create();
    smem_acc_server_set_new_link_handler(server, take_link, NULL);
    smem_acc_server_set_link_broken_handler(server, count_broken, NULL);
    smem_acc_server_set_request_handler(server, ECHO, echo, NULL);
    OK(smem_acc_server_load_tls_library(server, "/opt/ock/security/libs/"));
    return server;
}

static void talk(void)
{
    uint16_t port = free_port();
    smem_acc_tcp_server_options_t listening = tcp_options(port, 2), connecting = tcp_options(0, 1);
    smem_acc_connect_request_t request = connect_request(1);
    smem_tls_options_t files;
    smem_acc_server_t server = made(), client = made(), plain = made();
    smem_acc_link_t link = NULL;

    identity(&files, "one", 1);
    FAILS(-4, smem_acc_tcp_server_start(server, &listening, &files)); /* the text is not the password */
    smem_acc_server_set_decrypt_handler(server, decrypt, folder);
    result_of_decrypter = 7;
    FAILS(-4, smem_acc_tcp_server_start(server, &listening, &files));
    result_of_decrypter = 0;
    OK(smem_acc_tcp_server_start(server, &listening, &files));

    identity(&files, "two", 0);
    smem_acc_server_set_request_handler(client, ECHO, on_answer, NULL);
    OK(smem_acc_tcp_server_start(client, &connecting, &files));
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 30, &link));
    OK(smem_acc_link_send(link, ECHO, 0, 0, "hello", 5));
    CHECK(counter_wait(&answers, 1));
    smem_acc_link_release(link);

    OK(smem_acc_tcp_server_start(plain, &connecting, NULL));
    CHECK(smem_acc_server_connect(plain, "127.0.0.1", port, &request, 1, &link) != 0 && link == NULL);
    smem_acc_server_destroy(plain);
    smem_acc_server_destroy(client);
    smem_acc_server_destroy(server);
}

int main(void)
{
    const char *program = getenv("MF_TEST_PROGRAM");
    char command[1024];
    if (program == NULL || mkdtemp(folder) == NULL) return program == NULL ? 0 : 2;
    snprintf(command, sizeof command,
             "%s certs init ca && %s certs issue ca one && %s certs issue ca two && printf tfdsfu >password && "
             "openssl pkcs8 -topk8 -in ca/one.key -out one.locked -v2 aes-256-cbc -passout pass:secret",
             program, program, program);
    if (shell(command) != 0) {
        snprintf(command, sizeof command, "cat %s/log", folder);
        CHECK(system(command) == 0);
        CHECK(!"the certificates could not be made");
        return check_result();
    }
    talk();
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return check_result();
}
