/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/product/product_command.h"
#include "harness/cmd/tune/table.h"
#include "harness/command/command.h"
#include "harness/measure/sampler.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plan/tune_job.h"
#include "harness/plan/tuning_use.h"
#include "micro/shape.h"
#include "results/files/folder.h"

static const char command_name[] = "tune";

enum { OPTION_TOKENS = 0x400, OPTION_WARM, OPTION_BUDGET, OPTION_OUT, SHAPES_TEXT = 2048, PATH_SIZE = 4096 };

static const double default_budget_s = 120;

struct options {
    struct product_options product;
    char shapes[SHAPES_TEXT]; /* those that are given, one after the other, each with its end */
    size_t shapes_used;
    double budget_s;
    const char *out;
};

static const struct argp_option option_table[] = {
    {"shape", 's', "MxK,...", 0,
     "Weights of M rows and K columns; may be repeated (default: 1024x1024,2048x2048,4096x4096)", 0},
    {"model", 'm', "NAME", 0, "Every weight shape of a model, or of all of them: --model=all", 0},
    {"tokens", OPTION_TOKENS, "N,N,...", 0,
     "Numbers of activation vectors that are multiplied at once (default: 1,16,64)", 0},
    {"warm", OPTION_WARM, NULL, 0, "Weights from the caches, not from memory", 0},
    {"budget", OPTION_BUDGET, "TIME", 0, "Time to measure in seconds, or as 5m or 2h (default: 120)", 0},
    {"out", OPTION_OUT, "FILE", 0,
     "File of the table; problems already in it are kept (default: results/tuning/<this CPU>.json)", 0},
    {0},
};

/* ---- options ---- */

static void add_shape(struct options *options, const char *text, struct argp_state *state)
{
    size_t m, k, length = strlen(text) + 1;
    struct product_options *product = &options->product;
    if (shape_parse(text, &m, &k))
        argp_error(state, "--shape takes MxK such as 4096x4096, with commas between, not '%s'", text);
    if (product->shape_count == PRODUCT_SHAPES_GIVEN_MAX || options->shapes_used + length > sizeof options->shapes)
        argp_error(state, "at most %d shapes", PRODUCT_SHAPES_GIVEN_MAX);
    product->shapes[product->shape_count++] = memcpy(options->shapes + options->shapes_used, text, length);
    options->shapes_used += length;
}

static void parse_shapes(struct options *options, const char *text, struct argp_state *state)
{
    char copy[SHAPES_TEXT];
    if (strlen(text) >= sizeof copy)
        argp_error(state, "at most %d shapes", PRODUCT_SHAPES_GIVEN_MAX);
    strcpy(copy, text);
    for (char *at = copy, *one; (one = strsep(&at, ","));)
        add_shape(options, one, state);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->product.measuring;
        state->child_inputs[1] = &options->product.measuring.request.plugins;
        state->child_inputs[2] = &options->product.run;
        state->child_inputs[3] = &options->product.view;
        return 0;
    case 's': parse_shapes(options, argument, state); return 0;
    case 'm': options->product.model = argument; return 0;
    case OPTION_TOKENS: product_parse_tokens(argument, &options->product, state); return 0;
    case OPTION_WARM: options->product.warm = true; return 0;
    case OPTION_BUDGET: options->budget_s = option_seconds(argument, false, "--budget", state); return 0;
    case OPTION_OUT: options->out = argument; return 0;
    case ARGP_KEY_ARGS:
        options->product.names = state->argv + state->next;
        options->product.count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which formats or kernels? `kneepoint list kernels` shows them"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void settle(struct options *options)
{
    static const size_t tokens[] = {1, 16, 64};
    static const char *const shapes[] = {"1024x1024", "2048x2048", "4096x4096"};
    struct product_options *product = &options->product;
    if (!product->token_count) {
        memcpy(product->tokens, tokens, sizeof tokens);
        product->token_count = sizeof tokens / sizeof *tokens;
    }
    if (!product->shape_count && !product->model) {
        memcpy(product->shapes, shapes, sizeof shapes);
        product->shape_count = sizeof shapes / sizeof *shapes;
    }
    product->cold = !product->warm;
}

/* ---- the table that is written ---- */

/** Whether the file can be written, before minutes are spent on it: its folder is made, and removed again. */
static int check_place(const char *path)
{
    char folder[PATH_SIZE], why[SESSION_WHY];
    const char *slash = strrchr(path, '/');
    size_t made_from;
    if (!*path || (slash && !slash[1]))
        return complain(EXIT_USAGE, command_name, "--out takes the name of a file, not '%s'", path);
    snprintf(folder, sizeof folder, "%.*s", slash && slash != path ? (int)(slash - path) : 1, slash ? path : ".");
    if (folder_create(folder, &made_from, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "cannot write %s: %s", path, why);
    int denied = access(folder, W_OK | X_OK) || (access(path, F_OK) == 0 && access(path, W_OK));
    int error = errno;
    folder_remove(folder, made_from);
    return denied
               ? complain(EXIT_USAGE, command_name, "cannot write %s: %s; choose another --out", path, strerror(error))
               : EXIT_DONE;
}

/** The table that is there already; one of other code is begun anew, and it is said. One of another CPU is not touched. @return exit code */
static int read_former(const struct session *session, const char *path, struct tuning_table *former)
{
    char why[SESSION_WHY];
    int error = tuning_use_read(session, path, former, why, sizeof why);
    if (error == -ESTALE)
        complain(0, command_name, "%s, so a new table is started", why);
    else if (error == -EXDEV)
        return complain(EXIT_USAGE, command_name, "%s; name another --out, or move it away", why);
    else if (error && error != -ENOENT)
        return complain(EXIT_USAGE, command_name, "%s", why);
    return EXIT_DONE;
}

static bool any_time(const struct tuning_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        if (isfinite(table->cell[i].time_s))
            return true;
    }
    return false;
}

static int write_table(const struct session *session, const char *path, struct tuning_table *table,
                       const struct tuning_table *former)
{
    char why[SESSION_WHY];
    int error = tuning_merge(table, former);
    table->made_by = error ? NULL : tuning_use_made_by(session, table);
    if (error || !table->made_by)
        return complain(EXIT_USAGE, command_name, "no memory");
    return tuning_write(path, table, why, sizeof why) ? complain(EXIT_USAGE, command_name, "%s", why) : EXIT_DONE;
}

/* ---- measuring ---- */

static bool has(const struct kernel *kernel)
{
    return kernel->gemm.run || kernel->gemv;
}

static int select_job(const struct options *options, struct session *session, struct product_job *job)
{
    static const struct product_command command = {
        .name = command_name, .product = "GEMV or GEMM", .sweeps = true, .has = has};
    char why[SESSION_WHY];
    int code = product_select(&command, session, &options->product, job);
    if (code)
        return code;
    if (product_job_pair(job, why, sizeof why) ||
        (job->kernel_count && product_job_check_memory(job, session, true, why, sizeof why)) ||
        product_job_try(job, session, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    return EXIT_DONE;
}

static int search(const struct options *options, struct session *session, struct cells *cells,
                  const struct product_job *job, struct watched *watched, struct tuning_table *table)
{
    const struct tune_request request = {.kernels = job->kernels,
                                         .kernel_count = job->kernel_count,
                                         .shapes = job->shapes,
                                         .shape_count = job->shape_count,
                                         .tokens = job->tokens,
                                         .token_count = job->token_count,
                                         .sizes = job->sizes,
                                         .teams = job->teams,
                                         .cold = job->cold,
                                         .budget_s = options->budget_s};
    char why[SESSION_WHY];
    if (!tune_problems(&request))
        return complain(EXIT_USAGE, command_name,
                        "none of these kernels multiplies several tokens at once; use --tokens=1");
    const struct execution execution = watched_begin(watched);
    int error = tune_measure(&request, session, cells, &execution, table, why, sizeof why);
    return watched_end(watched, cells, error, why);
}

static int complain_of_none(const struct session *session)
{
    char rejections[192];
    sampler_rejections(&session->instruments, rejections, sizeof rejections);
    return complain(
        EXIT_INCONCLUSIVE, command_name,
        "too few samples were kept for any number, so no table is written (%s): the machine is too busy or --budget "
        "is too small",
        rejections);
}

struct tables {
    struct tuning_table found, former;
};

static int tune(const struct options *options, struct session *session, struct cells *cells, struct product_job *job,
                struct tables *tables)
{
    char path[PATH_SIZE];
    bool json = options->product.measuring.json;
    if (snprintf(path, sizeof path, "%s", options->out ? options->out : "") >= (int)sizeof path ||
        (!options->out && tuning_use_path(session, "results", path, sizeof path)))
        return complain(EXIT_USAGE, command_name, "the path of --out is too long");
    struct watched watched = {.command = command_name, .json = json};
    int code = command_session_needs_machine(command_name, session);
    if (!code)
        code = check_place(path);
    if (!code)
        code = select_job(options, session, job);
    if (!code)
        code = read_former(session, path, &tables->former);
    if (!code)
        code = watched_open(&watched, &options->product.run, session);
    if (code)
        return code;
    code = search(options, session, cells, job, &watched, &tables->found);
    if (!code && watched.interrupted && !any_time(&tables->found))
        code = watched_blank(&watched);
    if (!code)
        code = tune_table_print(command_name, &tables->found, json, &options->product.view);
    if (watched.interrupted)
        complain(0, command_name, "no table is written: settings are compared last");
    else if (!code && !any_time(&tables->found))
        code = complain_of_none(session);
    else if (!code)
        code = write_table(session, path, &tables->found, &tables->former);
    if (!code && !watched.interrupted)
        code = tune_table_print_end(command_name, &tables->found, path, json);
    return watched_close(&watched, session, cells, code);
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    struct product_job *job = calloc(1, sizeof *job);
    struct tables tables = {0};
    int code = job ? tune(given, session, cells, job, &tables) : complain(EXIT_USAGE, command_name, "no memory");
    tuning_release(&tables.found);
    tuning_release(&tables.former);
    product_job_free(job);
    return code;
}

static const struct table *const tables[] = {&tune_table, NULL};

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                                 {&plugins_argp, 0, NULL, 0},
                                                 {&saving_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "KERNEL...",
        .doc =
            "Search for the settings that make kernels fastest here, by shape, number of tokens and team: the variant "
            "of the kernel, its prefetch distance, whether the team divides rows or tokens, and which of the kernels "
            "that compute the same. Writes them to a table that gemv and gemm use. KERNEL is a kernel's name or "
            "leading parts of it, such as a format.\vKernels of a format can replace each other if their activations "
            "and error bound are the same. Exit: 0 done, 1 a wrong kernel, 2 usage or environment, 3 too few samples "
            "for any number.",
        .children = children,
    };
    struct options options = {.budget_s = default_budget_s, .product.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    settle(&options);
    return command_session_run(command_name, &options.product.measuring.request, measure, &options);
}

const struct command command_tune = {
    .name = command_name,
    .summary = "search for the fastest settings of kernels here: a table that gemv and gemm use",
    .run = run,
    .tables = tables,
};
