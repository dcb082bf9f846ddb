/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/user/plugin_try.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "platforms/process/child.h"
#include "results/text/refuse.h"

enum { TRY_LIMIT_MS = 60000 };

struct attempt {
    struct session *session;
    struct product_work work;
};

struct outcome {
    int error;
    char why[SESSION_WHY];
};

static void try_in_child(void *argument, void *report)
{
    struct attempt *attempt = argument;
    struct outcome *outcome = report;
    outcome->error = product_try(attempt->session, &attempt->work, outcome->why, sizeof outcome->why);
}

/** "" if it passed. */
static void judge(const struct child_result *child, const struct outcome *outcome, const char *where, char *why,
                  size_t size)
{
    char said[CHILD_SAID];
    child_said(child, said);
    why[0] = '\0';
    switch (child->outcome) {
    case CHILD_RETURNED:
        if (outcome->error == -EILSEQ)
            snprintf(why, size, "%s", outcome->why);
        return; /* what else there is, such as too little memory, the measurement will say */
    case CHILD_HUNG:
        snprintf(why, size, "%s: does not finish; stopped after %d s%s", where, TRY_LIMIT_MS / 1000, said);
        return;
    case CHILD_CRASHED:
        snprintf(why, size, "%s: crashed with signal %d (%s)%s", where, child->detail, strsignal(child->detail), said);
        return;
    case CHILD_EXITED:
        snprintf(why, size, "%s: ended the process with status %d%s", where, child->detail, said);
        return;
    default: snprintf(why, size, "%s: cannot start a process to try it: %s", where, strerror(child->detail)); return;
    }
}

int plugin_try(struct session *session, const struct kernel *kernel, const struct shape *shape, size_t tokens,
               unsigned threads, char *why, size_t size)
{
    const struct plugin *plugin = plugins_of_kernel(&session->plugins, kernel);
    if (!plugin || !(tokens ? kernel->gemm.run != NULL : kernel->gemv != NULL))
        return 0;
    if (plugins_fault(&session->plugins, kernel->name))
        return -EILSEQ;
    char where[256], many[40] = "";
    struct attempt attempt = {.session = session, .work = {kernel, shape->m, shape->k, tokens, threads, false}};
    struct outcome outcome;
    struct child_result child;
    if (tokens)
        snprintf(many, sizeof many, "%zu tokens and ", tokens);
    snprintf(where, sizeof where, "%s on %zux%zu with %s%u thread%s", kernel->name, shape->m, shape->k, many, threads,
             threads == 1 ? "" : "s");
    session_dissolve_team(session); /* a process with threads is not forked */
    child_run(try_in_child, &attempt, &outcome, sizeof outcome, TRY_LIMIT_MS, &child);
    judge(&child, &outcome, where, why, size);
    if (!why[0])
        return 0;
    if (plugins_withhold(&session->plugins, plugin, kernel->name, why))
        return refuse(-ENOMEM, why, size, "no memory");
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
            for (size_t t = 0; !error && t < trials->teams * counts && wanted(context, *kernel, trials->shape); t++)
                error = plugin_try(session, *kernel, trials->shape, tokens[t % counts], trials->sizes[t / counts], why,
                                   size);
            if (error && error != -EILSEQ)
                return error;
        }
    }
    return 0;
}
