/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/**
 * Children of the calling thread, those that it adopted among them (PR_SET_CHILD_SUBREAPER): what code of others started and left
 * behind.
 */
enum { DESCENDANTS_MOST = 128 };

struct descendants {
    pid_t pid[DESCENDANTS_MOST];
    size_t count;
};

/** Those that there are now; none where this kernel does not list them. */
void descendants_list(struct descendants *now);

/** Kill and reap all but the ones in `spared`, and what they leave behind. */
void descendants_kill(const struct descendants *spared);
