/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/call_watch.h"
#include "harness/cells/cell/cell.h"
#include "harness/decode/watched_pass.h"

/** The passes of a visit, of one token or of a prompt. */
struct pass_watch_passes {
    struct watched_pass *pass;
    void (*run)(void *context, unsigned member); /* another one, by the whole team */
    void *context;
    const void *outcome; /* what a pass leads to; NULL: a sample is no whole pass */
    size_t outcome_bytes;
};

/**
 * Passes through a model by kernels of plug-ins, watched: around each call what it leaves behind in its thread, and in the end whether
 * threads were started, memory after results was written to, and other results computed than by the first pass, of any of its products. Of
 * a pass that is a sample only the outcome is looked at, which all of its products lead to.
 */
struct pass_watch {
    struct session *session;
    struct cell *cell;
    const struct pass_watch_passes *passes;
    struct pass_hooks around;
    struct call_watch calls;
    uint64_t results, first; /* hash of those of the pass so far, and of the first pass */
    uint64_t outcome;        /* likewise of what the first pass led to */
    bool differs;
};

/**
 * With the team that will run them, before the first pass, which it watches. The passes must outlive it.
 * @param watch  receives NULL where all kernels are ours
 * @return 0 or -ENOMEM
 */
int pass_watch_open(struct pass_watch **watch, struct session *session, struct cell *cell,
                    const struct pass_watch_passes *passes);

/** After the first pass, which was right; nothing for NULL. Vector registers that are left in use are released from now on. */
void pass_watch_keep(struct pass_watch *watch);

/** After a sample, by one member while the others wait: it led to what the first pass led to. Nothing for NULL. */
void pass_watch_sample(struct pass_watch *watch);

/** After the samples: two more passes, and others while there is time. @return 0; -EILSEQ with a line in the cell's why */
int pass_watch_again(struct pass_watch *watch);

void pass_watch_close(struct pass_watch *watch);
