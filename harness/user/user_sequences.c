/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/user/user_sequences.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/check/items/sequence_check.h"
#include "results/files/folder.h"

bool user_sequences_is_file(const char *argument)
{
    size_t length = strlen(argument);
    return strchr(argument, '/') || (length > 2 && strcmp(argument + length - 2, ".S") == 0);
}

static void object_path(const struct user_sequences *sequences, unsigned index, char *path, size_t size)
{
    snprintf(path, size, "%.4000s/%u.so", sequences->directory, index);
}

static int prepare(struct user_sequences *sequences, const char *path, uint64_t seed, const volatile int *stop,
                   char *why, size_t size)
{
    char object[4096];
    struct user_sequence *user = &sequences->user[sequences->count];
    object_path(sequences, sequences->count, object, sizeof object);
    int error = user_sequence_build(path, sequences->directory, object, user, why, size);
    if (!error)
        error = check_sequence_apart(object, user, seed, stop, why, size);
    sequences->count++;
    return stop && *stop ? -EINTR : error;
}

int user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                        const volatile int *stop, char *why, size_t size)
{
    *sequences = (struct user_sequences){0};
    int error = temporary_folder_make(sequences->directory, sizeof sequences->directory - 64, why, size);
    for (int i = 0; i < count && !error; i++) {
        if (!user_sequences_is_file(arguments[i]) || user_sequences_find(sequences, arguments[i]))
            continue;
        if (sequences->count == USER_SEQUENCES_MAX) {
            snprintf(why, size, "more than %d files: measure them in several runs", USER_SEQUENCES_MAX);
            error = -E2BIG;
        } else {
            error = prepare(sequences, arguments[i], seed, stop, why, size);
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

void user_sequences_close(struct user_sequences *sequences)
{
    temporary_folder_remove(sequences->directory);
}
