/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/assemble/user_sequence.h"

/**
 * Sequences of a command line that are files: built in a temporary folder, and checked in a separate process, so that nothing they do ends
 * this one. Like those of plug-ins they are then loaded here and called by workers alone (harness/cells/cell/external_code.h).
 */
enum { USER_SEQUENCES_MAX = 16 };

struct user_sequences {
    char directory[4096];
    struct user_sequence user[USER_SEQUENCES_MAX];
    unsigned count;
};

/** Whether an argument means a file: it has a slash, or ends in .S. */
bool user_sequences_is_file(const char *argument);

/**
 * Build and check what the arguments name as files. Call before the process has threads.
 * @param seed  of the values they are checked with, any
 * @param stop  ends it after the file that is checked, some time after it is set; NULL: never
 * @return 0; -EILSEQ it was checked and is wrong; -EINTR it was stopped; other errno; why says what to do
 */
int user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                        const volatile int *stop, char *why, size_t size);

/** Load them into this process; they stay when the folder goes. @return 0, -EINVAL with why */
int user_sequences_load(struct user_sequences *sequences, char *why, size_t size);

/** The user's sequence of that argument, or NULL. */
const struct user_sequence *user_sequences_find(const struct user_sequences *sequences, const char *argument);

/** Remove the folder. */
void user_sequences_close(struct user_sequences *sequences);
