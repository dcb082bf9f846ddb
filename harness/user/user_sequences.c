/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/user/user_sequences.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/check/items/sequence_check.h"

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };
static struct sigaction before[INTERRUPTS];
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = number;
}

bool user_sequences_interrupted(void)
{
    return interrupted != 0;
}

bool user_sequences_is_file(const char *argument)
{
    size_t length = strlen(argument);
    return strchr(argument, '/') || (length > 2 && strcmp(argument + length - 2, ".S") == 0);
}

static void object_path(const struct user_sequences *sequences, unsigned index, char *path, size_t size)
{
    snprintf(path, size, "%.4000s/%u.so", sequences->directory, index);
}

static int prepare(struct user_sequences *sequences, const char *path, uint64_t seed, char *why, size_t size)
{
    char object[4096];
    struct user_sequence *user = &sequences->user[sequences->count];
    object_path(sequences, sequences->count, object, sizeof object);
    int error = user_sequence_build(path, sequences->directory, object, user, why, size);
    if (!error)
        error = check_sequence_apart(object, user, seed, &interrupted, why, size);
    sequences->count++;
    return interrupted ? -EINTR : error;
}

int user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed, char *why,
                        size_t size)
{
    const char *parent = getenv("TMPDIR");
    struct sigaction note = {.sa_handler = on_interrupt};
    *sequences = (struct user_sequences){0};
    interrupted = 0;
    snprintf(sequences->directory, sizeof sequences->directory, "%.3900s/kneepoint-XXXXXX",
             parent && parent[0] ? parent : "/tmp");
    if (!mkdtemp(sequences->directory)) {
        int error = errno;
        snprintf(why, size, "cannot create the folder %s: %s; set TMPDIR to one that can be written to",
                 sequences->directory, strerror(error));
        sequences->directory[0] = '\0';
        return -error;
    }
    sigemptyset(&note.sa_mask);
    for (int i = 0; i < INTERRUPTS; i++)
        sigaction(interrupts[i], &note, &before[i]);
    int error = 0;
    for (int i = 0; i < count && !error; i++) {
        if (!user_sequences_is_file(arguments[i]) || user_sequences_find(sequences, arguments[i]))
            continue;
        if (sequences->count == USER_SEQUENCES_MAX) {
            snprintf(why, size, "more than %d files: measure them in several runs", USER_SEQUENCES_MAX);
            error = -E2BIG;
        } else {
            error = prepare(sequences, arguments[i], seed, why, size);
        }
    }
    return error;
}

const struct user_sequence *user_sequences_find(const struct user_sequences *sequences, const char *argument)
{
    for (unsigned i = 0; i < sequences->count; i++) {
        if (strcmp(sequences->user[i].path, argument) == 0)
            return &sequences->user[i];
    }
    return NULL;
}

int user_sequences_load(struct user_sequences *sequences, char *why, size_t size)
{
    int error = 0;
    for (unsigned i = 0; !error && i < sequences->count; i++) {
        char object[4096];
        object_path(sequences, i, object, sizeof object);
        error = user_sequence_load(object, &sequences->user[i], why, size);
    }
    return error;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void user_sequences_close(struct user_sequences *sequences)
{
    if (!sequences->directory[0])
        return;
    nftw(sequences->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    for (int i = 0; i < INTERRUPTS; i++)
        sigaction(interrupts[i], &before[i], NULL);
}
