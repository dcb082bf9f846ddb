/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which kernels and shapes the options ask for.
 */
#include <stdio.h>
#include <string.h>

#include "harness/cells/product/best_peer.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/model_names.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command/command.h"
#include "harness/plan/plan_axes.h"
#include "harness/plugin/name_argument.h"
#include "results/text/words.h"

/** A kernel is asked for that has no such product: which kernels of its format have one. */
static int complain_without(const struct product_command *command, const struct kernel *asked)
{
    char others[256] = "";
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        if ((*at)->format == asked->format && command->has(*at))
            words_add(others, sizeof others, "%s", (*at)->name);
    }
    return complain(EXIT_USAGE, command->name, "%s has no %s; %s kernels of %s: %s (or use `kneepoint %s`)",
                    asked->name, command->product, command->product, asked->format->name, others[0] ? others : "none",
                    strcmp(command->name, "gemv") == 0 ? "gemm" : "gemv");
}

static int add_kernel(const struct product_command *command, struct product_job *job, const struct kernel *kernel)
{
    for (size_t i = 0; i < job->kernel_count; i++) {
        if (job->kernels[i] == kernel) /* names may overlap */
            return EXIT_DONE;
    }
    if (job->kernel_count == PRODUCT_JOB_KERNELS)
        return complain(EXIT_USAGE, command->name, "more than %d kernels at once; name fewer", PRODUCT_JOB_KERNELS);
    job->kernels[job->kernel_count++] = kernel;
    return EXIT_DONE;
}

/** Whether a name, or the file of a plug-in, means a kernel. */
static bool means(const struct session *session, const char *pattern, const struct kernel *kernel)
{
    const struct plugin *plugin = plugins_of_kernel(&session->plugins, kernel);
    if (!pattern || !plugin_is_named(pattern))
        return !pattern || name_argument_means(pattern, kernel->name);
    return plugin && strcmp(plugin->path, pattern) == 0;
}

/** Whether a name, or the file of a plug-in, means a kernel that failed its check. */
static bool means_withheld(const struct session *session, const char *pattern)
{
    bool found = false;
    for (size_t i = 0; pattern && plugin_is_named(pattern) && i < session->plugins.faults; i++)
        found = found || strcmp(session->plugins.fault[i].plugin->path, pattern) == 0;
    return found || name_argument_withheld(pattern, &session->plugins);
}

static int add_kernels(const struct product_command *command, const struct session *session, const char *pattern,
                       const struct name_filter *filter, struct product_job *job)
{
    const struct kernel *known = NULL, *without = NULL;
    bool unwanted = false, runs = false;
    char text[256];
    int code = EXIT_DONE;
    for (const struct kernel *const *kernel = kernel_all(); !code && *kernel; kernel++) {
        if (!means(session, pattern, *kernel))
            continue;
        if (!name_filter_has_kernel(filter, *kernel)) {
            unwanted = true;
            continue;
        }
        if (!command->has(*kernel)) {
            without = *kernel;
            continue;
        }
        if (!known || isa_lacks_less((*kernel)->isa, known->isa, &session->machine.dump))
            known = *kernel;
        runs = runs || session_runs(session, (*kernel)->isa);
        if (session_runs(session, (*kernel)->isa))
            code = add_kernel(command, job, *kernel);
    }
    if (code)
        return code;
    if (!known && means_withheld(session, pattern))
        return 0; /* reported already */
    if (!known && !without && !unwanted && pattern && plugin_is_named(pattern))
        return complain(EXIT_USAGE, command->name, "%s brings no kernel", pattern);
    if (!known && without)
        return complain_without(command, without);
    if (!known && unwanted)
        return complain(EXIT_USAGE, command->name, "no kernel%s%s%s has %s; `kneepoint list kernels` shows them",
                        pattern ? " '" : "", pattern ? pattern : "", pattern ? "'" : "",
                        name_filter_text(filter, text, sizeof text));
    if (!known)
        return complain(EXIT_USAGE, command->name, "no kernel '%s'; `kneepoint list kernels` shows them%s",
                        pattern ? pattern : "", name_argument_hint(pattern ? pattern : "", false, text, sizeof text));
    if (!runs) {
        char missing[160];
        isa_missing(isa_find(known->isa), &session->machine.dump, missing, sizeof missing);
        return complain(EXIT_USAGE, command->name, "%s cannot run on this CPU: it %s", known->name, missing);
    }
    return 0;
}

/** Whether there is a kernel to compare it with. */
static bool has_like(const struct session *session, const struct product_job *job, const struct kernel *kernel,
                     bool peers_alone)
{
    for (size_t i = 0; i < job->kernel_count; i++) {
        if ((!peers_alone || plugins_of_kernel(&session->plugins, job->kernels[i])) &&
            best_peer_compares(job->kernels[i], kernel))
            return true;
    }
    return false;
}

/** Of the widths and kinds that were named. @return exit code */
static int add_peers(const struct product_command *command, const struct session *session, struct product_job *job)
{
    size_t peers = 0;
    int code = EXIT_DONE;
    for (unsigned p = 0; p < session->plugins.count; p++) {
        for (const struct kernel *const *at = session->plugins.plugin[p].kernels; !code && *at; at++) {
            const struct kernel *kernel = *at;
            if (!command->has(kernel) || !session_runs(session, kernel->isa) || kernel_find(kernel->name) != kernel ||
                !has_like(session, job, kernel, false))
                continue;
            peers++;
            code = add_kernel(command, job, kernel);
        }
    }
    if (!code && !peers)
        return complain(EXIT_USAGE, command->name, "--peers: no plug-in that can be used here has a %s of %s",
                        command->product, job->kernels_named ? "a width and kind that was asked for" : "its own");
    return code;
}

/** Kernels of our own, and renderings that prefetch as ours do, which their originals do not: of plain int8 there is nothing else. */
static bool is_our_side(const struct session *session, const struct kernel *kernel)
{
    return kernel_is_ours(session, kernel) ||
           (!plugins_of_kernel(&session->plugins, kernel) && kernel->differs && kernel->prefetch_bytes);
}

/** The kernels of a job become those of plug-ins and the best of ours of the same widths and kinds. @return exit code */
static int choose_peers(const struct product_command *command, const struct session *session, struct product_job *job)
{
    size_t kept = 0;
    int code = add_peers(command, session, job);
    if (code)
        return code;
    for (size_t i = 0; i < job->kernel_count; i++) {
        const struct kernel *kernel = job->kernels[i];
        bool peer = plugins_of_kernel(&session->plugins, kernel) != NULL;
        bool ours = has_like(session, job, kernel, true) && (job->kernels_named || is_our_side(session, kernel));
        if (peer || ours)
            job->kernels[kept++] = kernel;
    }
    job->kernel_count = kept;
    return EXIT_DONE;
}

/** Leave those out that another of the same format and origin outdoes by its instruction set, and those named twice. */
static void keep_best(struct product_job *job)
{
    size_t count = job->kernel_count, kept = 0;
    bool outdone[PRODUCT_JOB_KERNELS] = {false};
    for (size_t i = 0; i < count * count; i++) {
        const struct kernel *one = job->kernels[i / count], *other = job->kernels[i % count];
        const bool alike = one->format == other->format && strcmp(one->origin, other->origin) == 0;
        if ((alike && isa_find(other->isa)->priority > isa_find(one->isa)->priority) ||
            (one == other && i % count < i / count))
            outdone[i / count] = true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!outdone[i])
            job->kernels[kept++] = job->kernels[i];
    }
    job->kernel_count = kept;
}

static int select_kernels(const struct product_command *command, const struct session *session,
                          const struct product_options *options, struct product_job *job)
{
    const struct name_filter *filter = &options->filter;
    char why[SESSION_WHY];
    if (name_filter_check(filter, why, sizeof why))
        return complain(EXIT_USAGE, command->name, "%s", why);
    int code = options->count ? 0 : add_kernels(command, session, NULL, filter, job);
    for (int i = 0; !code && i < options->count; i++)
        code = add_kernels(command, session, options->names[i], filter, job);
    job->kernels_named = options->count;
    if (!code && options->peers)
        code = choose_peers(command, session, job);
    if (!code && (options->best || options->peers))
        keep_best(job);
    return code;
}

int product_select_shapes(const struct product_command *command, const struct product_options *options,
                          struct product_job *job)
{
    for (size_t i = 0; i < options->shape_count; i++) {
        struct shape *shape = &job->shapes[job->shape_count++];
        *shape = (struct shape){.count = 1};
        shape_parse(options->shapes[i], &shape->m, &shape->k);
    }
    job->shapes_named = options->shape_count;
    int code = options->model ? model_names_shapes(command->name, options->model, job->shapes, &job->shape_count) : 0;
    if (!code && !job->shape_count)
        job->shapes[job->shape_count++] = (struct shape){.m = 4096, .k = 4096, .count = 1};
    return code;
}

static void select_teams(const struct product_command *command, const struct session *session,
                         const struct product_options *options, struct product_job *job)
{
    job->sizes[0] = session->threads;
    job->teams = options->measuring.threads_given ? 1 : plan_team_sizes(session->threads, job->sizes);
    if (command->sweeps && job->teams > 2) {
        job->sizes[0] = 1;
        job->sizes[1] = session->threads;
        job->teams = 2;
    }
}

int product_select(const struct product_command *command, const struct session *session,
                   const struct product_options *options, struct product_job *job)
{
    select_teams(command, session, options, job);
    job->cold = options->cold || !options->warm;
    job->warm = options->warm || (!options->cold && !command->sweeps);
    job->reads = options->reads;
    job->prefetch_given = options->prefetch_given;
    job->prefetch_bytes = options->prefetch_bytes;
    job->samples = options->measuring.samples;
    job->beside_peers = options->peers;
    job->schedules = options->sharing.schedules;
    job->token_count = options->token_count;
    memcpy(job->tokens, options->tokens, sizeof job->tokens);
    int code = select_kernels(command, session, options, job);
    return code ? code : product_select_shapes(command, options, job);
}
