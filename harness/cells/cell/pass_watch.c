/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/pass_watch.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/kind.h"
#include "platforms/clock/clock.h"
#include "results/text/hash.h"
#include "results/text/refuse.h"

/** Passes after the samples, and the time for them. */
enum { PASSES_LEAST = 2, PASSES_MOST = 128 };
static const double PASSES_S = 50e-3;

static void before(void *context, const struct kernel *kernel, unsigned member)
{
    struct pass_watch *watch = context;
    if (plugins_of_kernel(&watch->session->plugins, kernel))
        call_watch_before(&watch->calls, member);
}

static void after(void *context, const struct kernel *kernel, unsigned member)
{
    struct pass_watch *watch = context;
    if (plugins_of_kernel(&watch->session->plugins, kernel))
        call_watch_after(&watch->calls, watch->session->team, member);
}

static void results(void *context, const void *bytes, size_t count)
{
    struct pass_watch *watch = context;
    watch->results = hash_bytes(watch->results, bytes, count);
}

int pass_watch_open(struct pass_watch **result, struct session *session, struct cell *cell,
                    const struct pass_watch_passes *passes)
{
    *result = NULL;
    if (!external_code_is_any(session, cell))
        return 0;
    struct pass_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return -ENOMEM;
    *watch = (struct pass_watch){.session = session,
                                 .cell = cell,
                                 .passes = passes,
                                 .around = {before, after, results, watch},
                                 .results = HASH_BEGIN};
    int error = call_watch_begin(&watch->calls);
    if (error) {
        pass_watch_close(watch);
        return error;
    }
    watched_pass_watch(passes->pass, &watch->around);
    *result = watch;
    return 0;
}

static uint64_t outcome_of(const struct pass_watch_passes *passes)
{
    return hash_bytes(HASH_BEGIN, passes->outcome, passes->outcome_bytes);
}

void pass_watch_keep(struct pass_watch *watch)
{
    if (!watch)
        return;
    struct watched_pass *pass = watch->passes->pass;
    watched_pass_watch(pass, NULL);
    watch->first = watch->results;
    if (watch->passes->outcome)
        watch->outcome = outcome_of(watch->passes);
    pass->releases_vectors = watch->cell->releases_vectors = call_watch_vectors(&watch->calls, watch->session->team);
}

void pass_watch_sample(struct pass_watch *watch)
{
    if (watch)
        watch->differs |= outcome_of(watch->passes) != watch->outcome;
}

int pass_watch_again(struct pass_watch *watch)
{
    if (!watch)
        return 0;
    struct cell *cell = watch->cell;
    const struct pass_watch_passes *passes = watch->passes;
    const double end_s = clock_monotonic_s() + PASSES_S;
    struct call_results found = {watched_pass_overran(passes->pass), watch->differs}; /* by the samples */
    watched_pass_watch(passes->pass, &watch->around);
    for (unsigned i = 0; i < PASSES_LEAST || (i < PASSES_MOST && clock_monotonic_s() < end_s); i++) {
        worker_beat(watch->session->instruments.heart);
        watch->results = HASH_BEGIN;
        team_run(watch->session->team, passes->run, passes->context);
        found.differ |= watch->results != watch->first;
    }
    watched_pass_watch(passes->pass, NULL);
    found.overran |= watched_pass_overran(passes->pass);
    char name[FOREIGN_NAMES], text[160];
    int error = call_watch_judge(&watch->calls, watch->session->team, found, text, sizeof text);
    return error ? refuse(error, cell->why, sizeof cell->why, "%s in %s %s",
                          external_code_name(watch->session, cell, name, sizeof name), cell->kind->name, text)
                 : 0;
}

void pass_watch_close(struct pass_watch *watch)
{
    if (!watch)
        return;
    call_watch_end(&watch->calls);
    free(watch);
}
