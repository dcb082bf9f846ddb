/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "micro/sequence.h"

/**
 * A sequence that a user brings as a .S file: read its facts, assemble it with the system's compiler into a shared
 * object beside nothing but the frame (which this program carries), load it.
 */
enum { USER_SEQUENCE_WHY = 512 };

struct user_facts {
    char name[160]; /* "<format>.<sequence>.<isa>" */
    char format[64], sequence[64], isa[32];
    bool referenced; /* it has a C half */
};

/**
 * Facts that the text of a file states, and whether it states all that the frame needs. The ISA is that
 * of a name that ends in .<isa>.S, else the fact ISA; format and sequence are those of the name
 * <format>.<sequence>.<isa>.S where the text states none.
 * @param path  as the user gave it, for messages and for its name
 * @return 0, or -EINVAL with what is missing in why
 */
int user_facts_read(const char *path, const char *text, struct user_facts *facts, char *why, size_t size);

struct user_sequence {
    const char *path;
    struct user_facts facts;
    unsigned long hash;              /* FNV-1a of the file's bytes */
    const struct sequence *sequence; /* after user_sequence_load */
    void *handle;
};

/**
 * Build the shared object object (a path). The frame is written under directory, which exists.
 * Call before the process has threads.
 * @return 0; -EINVAL the file's fault, -ENOTSUP this CPU lacks the ISA, -ENOENT no compiler or no file, other
 *         errno; why says what to do
 */
int user_sequence_build(const char *path, const char *directory, const char *object, struct user_sequence *user,
                        char *why, size_t size);

/** @return 0 or -EINVAL with why */
int user_sequence_load(const char *object, struct user_sequence *user, char *why, size_t size);
