/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>

#include "harness/check/call/cpu_state.h"
#include "harness/measure/session.h"
#include "platforms/process/threads.h"

/** Calls of others' code by a team, watched: what they leave behind in its threads, and threads of their own. */
struct call_watch {
    struct cpu_state state[SESSION_CPUS_MAX]; /* of each member */
    bool sampled[SESSION_CPUS_MAX];           /* it took a sample that was not looked at yet */
    struct threads_there threads;             /* when it began */
    struct process_settings {
        bool timed; /* a timer of the process runs (setitimer) */
        struct rlimit limits[RLIM_NLIMITS];
    } settings; /* likewise */
};

/** Before the first call, with the team that will make it. 0 or -ENOMEM */
int call_watch_begin(struct call_watch *watch);
void call_watch_end(struct call_watch *watch);

/** Around a call, by the member that makes it. */
void call_watch_before(struct call_watch *watch, unsigned member);
void call_watch_after(struct call_watch *watch, const struct team *team, unsigned member);

/** Before a sample is timed, by the member that takes it: what the one before left behind, if there was one. */
void call_watch_between(struct call_watch *watch, const struct team *team, unsigned member);

/** After all samples: what the last one left in each member. */
void call_watch_last(struct call_watch *watch, struct team *team);

/** What else is known of the calls. */
struct call_results {
    bool overran; /* the memory after the results was written to */
    bool differ;  /* the same operands gave other results in another call */
};

/** @return 0; -EILSEQ what they did wrong, with a line in why that continues after a name */
int call_watch_judge(const struct call_watch *watch, const struct team *team, struct call_results results, char *why,
                     size_t size);

/** Whether a member found the upper halves of its vector registers in use. */
bool call_watch_vectors(const struct call_watch *watch, const struct team *team);
