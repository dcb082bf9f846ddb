/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * One run, measured by several fresh processes one after the other: the first begins it, each other resumes it. So the
 * run has blocks, the replicates of a comparison (results/blocks/blocks.h).
 */
struct characterize_blocks {
    const char *program;          /* executed as `program characterize …` */
    const char *const *arguments; /* of every block, NULL-terminated: team, counters, results */
    const char *resume;           /* run to add to; NULL: a new one */
    unsigned blocks, budget_s;    /* budget of each */
    const volatile int *stop;     /* becomes true on Ctrl-C, which reaches the blocks as well */
    void (*progress)(void *context, double fraction, double remaining_s, const char *now);
    void *context;
    char withheld[512]; /* out: what a block said of a plug-in's kernel that it left out; "": none */
};

/**
 * @param run  out: path of the run, "" if there is none
 * @return 0; -EINTR stopped, the run is kept; -EILSEQ wrong kernel; -EXDEV a run of another CPU; -EINVAL a block
 * refused; with one line in why
 */
int characterize_blocks_run(struct characterize_blocks *job, char *run, size_t run_size, char *why, size_t size);
