/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/user/plugin_try.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/visit_apart.h"
#include "harness/cells/product/product_cells.h"
#include "platforms/process/child.h"
#include "platforms/process/worker.h"
#include "results/text/refuse.h"

struct attempt {
    struct session *session;
    struct product_work work;
};

struct outcome {
    int error;
    double call_s;
    char why[SESSION_WHY];
};

static void try_in_worker(void *context, struct worker *worker)
{
    struct attempt *attempt = context;
    struct outcome outcome = {.call_s = (double)NAN};
    attempt->session->team = NULL; /* its threads are the other process's */
    attempt->session->instruments.heart = worker_heart(worker);
    outcome.error = product_try(attempt->session, &attempt->work, &outcome.call_s, outcome.why, sizeof outcome.why);
    worker_send(worker, &outcome, sizeof outcome);
}

/** "" if it passed. */
static void judge(const struct worker_result *worker, const char *where, double *call_s, char *why, size_t size)
{
    char said[CHILD_SAID];
    struct outcome outcome = {.call_s = (double)NAN};
    child_said(worker->printed, said);
    why[0] = '\0';
    switch (worker->outcome) {
    case WORKER_RETURNED:
        if (worker->report_bytes == sizeof outcome)
            memcpy(&outcome, worker->report, sizeof outcome);
        outcome.why[sizeof outcome.why - 1] = '\0';
        *call_s = outcome.call_s;
        if (outcome.error == -EILSEQ)
            snprintf(why, size, "%s", outcome.why);
        return; /* what else there is, such as too little memory, the measurement will say */
    case WORKER_HUNG:
        snprintf(why, size, "%s: does not end: a call took more than %g s%s", where, 1e-3 * VISIT_APART_LIMIT_MS, said);
        return;
    case WORKER_CRASHED:
        snprintf(why, size, "%s: crashed with signal %d (%s)%s", where, worker->detail, strsignal(worker->detail),
                 said);
        return;
    case WORKER_WROTE: snprintf(why, size, "%s: wrote to a descriptor that is not its own%s", where, said); return;
    case WORKER_EXITED:
        snprintf(why, size, "%s: ended the process with status %d%s", where, worker->detail, said);
        return;
    default: return;
    }
}

int plugin_try(struct session *session, const struct kernel *kernel, const struct shape *shape, size_t tokens,
               unsigned threads, double *call_s, char *why, size_t size)
{
    *call_s = (double)NAN;
    const struct plugin *plugin = plugins_of_kernel(&session->plugins, kernel);
    if (!plugin || !(tokens ? kernel->gemm.run != NULL : kernel->gemv != NULL))
        return 0;
    if (plugins_fault(&session->plugins, kernel->name))
        return -EILSEQ;
    char where[256], many[40] = "";
    struct attempt attempt = {
        .session = session,
        .work = {.kernel = kernel, .m = shape->m, .k = shape->k, .tokens = tokens, .threads = threads}};
    const struct worker_job job = {.body = try_in_worker, .context = &attempt, .limit_ms = VISIT_APART_LIMIT_MS};
    struct worker_result result;
    if (tokens)
        snprintf(many, sizeof many, "%zu tokens and ", tokens);
    snprintf(where, sizeof where, "%s on %zux%zu with %s%u thread%s", kernel->name, shape->m, shape->k, many, threads,
             threads == 1 ? "" : "s");
    session_dissolve_team(session);
    worker_run(&job, &result);
    if (result.outcome == WORKER_FAILED)
        return refuse(-result.detail, why, size, "%s: cannot start a process to try it: %s", where,
                      strerror(result.detail));
    if (result.outcome == WORKER_LOST)
        return refuse(-result.detail, why, size, "%s: the report of the process that tried it was lost: %s", where,
                      strerror(result.detail));
    judge(&result, where, call_s, why, size);
    free(result.report);
    if (!why[0])
        return 0;
    if (plugins_withhold(&session->plugins, plugin, kernel->name, why))
        return refuse(-ENOMEM, why, size, "no memory");
    if (session->tell_faults)
        session->tell_faults(session);
    return -EILSEQ;
}

int plugin_try_all(struct session *session, const struct plugin_trials *trials,
                   bool (*wanted)(const void *context, const struct kernel *kernel, const struct shape *shape),
                   const void *context, char *why, size_t size)
{
    static const size_t usual[] = {0, 1, 64};
    const size_t *tokens = trials->tokens ? trials->tokens : usual;
    size_t counts = trials->tokens ? trials->token_count : sizeof usual / sizeof *usual;
    for (unsigned p = 0; p < session->plugins.count; p++) {
        for (const struct kernel *const *kernel = session->plugins.plugin[p].kernels; *kernel; kernel++) {
            int error = 0;
            for (size_t t = 0; !error && t < trials->teams * counts && wanted(context, *kernel, trials->shape); t++) {
                const size_t many = tokens[t % counts];
                const unsigned threads = trials->sizes[t / counts];
                double call_s;
                error = plugin_try(session, *kernel, trials->shape, many, threads, &call_s, why, size);
                if (trials->tried && isfinite(call_s))
                    trials->tried(trials->given, *kernel, many, threads, call_s);
            }
            if (error && error != -EILSEQ)
                return error;
        }
    }
    return 0;
}
