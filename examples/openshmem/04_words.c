/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counts words in a hash table that is spread over all PEs: the hash of a word says which PE has it, and
 * where. Each PE counts the words of its lines; atomic operations do it right when two count the same
 * word.
 *
 *   oshcc 04_words.c -o 04_words && oshrun -np 4 ./04_words [FILE]
 */
#include <ctype.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 4096, LONGEST = 32 };

/* Words of one PE. A slot without a hash is free. */
typedef struct {
    uint64_t hash[SLOTS];
    long count[SLOTS];
    char word[SLOTS][LONGEST];
} table;

/* Static data of a program is symmetric: every PE has this table at its own address, and can access the
 * others'. */
static table words;

static const char *const TEXT[] = {
    "The sea has many rivers and the rivers have one sea",
    "What the rivers bring the sea keeps and what the sea keeps the sun takes",
    "The sun gives it to the wind and the wind gives it to the hills",
    "From the hills it comes back to the rivers and the rivers bring it to the sea",
};

static uint64_t hash_of(const char *word)
{
    uint64_t hash = 14695981039346656037U;

    for (; *word != '\0'; word++) {
        hash = (hash ^ (unsigned char)*word) * 1099511628211U;
    }
    return hash == 0 ? 1 : hash;
}

/* Adds to the count of a word, wherever it is. */
static void add(const char *word, long number)
{
    const uint64_t hash = hash_of(word);
    const int pe = (int)(hash % (uint64_t)shmem_n_pes());
    const size_t start = (size_t)(hash >> 32) % SLOTS;

    for (size_t tried = 0; tried < SLOTS; tried++) {
        const size_t slot = (start + tried) % SLOTS;
        /* The first to come gets the slot, and writes the word into it. */
        const uint64_t found = shmem_uint64_atomic_compare_swap(&words.hash[slot], 0, hash, pe);
        if (found == 0) {
            shmem_putmem(words.word[slot], word, strlen(word) + 1, pe);
        }
        if (found == 0 || found == hash) {
            shmem_long_atomic_add(&words.count[slot], number, pe);
            return;
        }
    }
    fprintf(stderr, "there are more than %d words on PE %d\n", SLOTS, pe);
    shmem_global_exit(1);
}

/* Adds to the counts of all words of a line, in lower case; gives how many they are. */
static long add_line(const char *line, long number)
{
    long added = 0;

    for (;;) {
        char word[LONGEST];
        size_t length = 0;
        while (*line != '\0' && !isalpha((unsigned char)*line)) {
            line++;
        }
        for (; isalpha((unsigned char)*line); line++) {
            if (length < LONGEST - 1) {
                word[length++] = (char)tolower((unsigned char)*line);
            }
        }
        if (length == 0) {
            return added;
        }
        word[length] = '\0';
        add(word, number);
        added++;
    }
}

/* Adds to the counts of the words in each line with the remainder `which` of its number divided by the number
 * of PEs. */
static long add_lines(const char *file, int which, long number)
{
    const int pes = shmem_n_pes();
    long added = 0;

    if (file == NULL) {
        for (int i = which; i < (int)(sizeof(TEXT) / sizeof(TEXT[0])); i += pes) {
            added += add_line(TEXT[i], number);
        }
        return added;
    }
    char line[4096];
    FILE *input = fopen(file, "r");
    if (input == NULL) {
        perror(file);
        shmem_global_exit(1);
    }
    for (int i = 0; fgets(line, sizeof(line), input) != NULL; i++) {
        added += i % pes == which ? add_line(line, number) : 0;
    }
    fclose(input);
    return added;
}

int main(int count, char **arguments)
{
    const char *file = count > 1 ? arguments[1] : NULL;
    long left = 0;

    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();

    const long added = add_lines(file, me, 1);
    /* Now all words of all PEs are counted. */
    shmem_barrier_all();
    size_t most = 0;
    for (size_t slot = 1; slot < SLOTS; slot++) {
        most = words.count[slot] > words.count[most] ? slot : most;
    }
    printf("PE %d of %d: read %ld words; most frequent of those kept here: %s, %ld times\n", me, pes, added,
           words.count[most] == 0 ? "none" : words.word[most], words.count[most]);

    /* The right neighbour takes away what we have added: no word is left. */
    shmem_barrier_all();
    add_lines(file, (me + 1) % pes, -1);
    shmem_barrier_all();
    for (size_t slot = 0; slot < SLOTS; slot++) {
        left += words.count[slot] != 0;
    }
    if (left != 0) {
        printf("PE %d of %d: %ld words have a wrong count\n", me, pes, left);
    }
    shmem_finalize();
    return left != 0;
}
