/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/gemv.h"
#include "harness/cells/gemv_model.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/schedule_options.h"
#include "harness/command.h"
#include "harness/plan/gemv_job.h"
#include "harness/plan/plan_teams.h"
#include "harness/plugin/given_name.h"
#include "harness/record/run_writer.h"
#include "platforms/clock.h"
#include "results/record.h"

static const char command_name[] = "gemv";

enum {
    OPTION_WARM = 0x200,
    OPTION_COLD,
    OPTION_PREFETCH,
    OPTION_RESULTS,
    OPTION_INTO,
    SHAPES_GIVEN_MAX = 64,
    NAME_MAX_SHOWN = 34
};

struct options {
    struct measuring_options measuring;
    struct schedule_options sharing;
    const char *shapes[SHAPES_GIVEN_MAX];
    size_t shape_count;
    const char *model;
    bool cold, warm;
    bool prefetch_given;
    size_t prefetch_bytes;
    struct run_request run;
    char **names;
    int count;
};

static const struct argp_option option_table[] = {
    {"shape", 's', "MxK", 0, "Weights of M rows and K columns; may be repeated (default: 4096x4096)", 0},
    {"model", 'm', "NAME", 0, "Every weight shape of a model, or of all of them: --model=all", 0},
    {"cold", OPTION_COLD, NULL, 0, "Only cold: another copy of the weights from memory each time", 0},
    {"warm", OPTION_WARM, NULL, 0, "Only warm: the same weights again and again", 0},
    {"prefetch", OPTION_PREFETCH, "BYTES", 0,
     "Distance of the kernels' software prefetch (default: each kernel's own; 0: none)", 0},
    {"results", OPTION_RESULTS, "DIR", 0, "Save every sample and record in a new run below DIR (default: do not)", 0},
    {"into", OPTION_INTO, "RUN", 0, "Add them to a run of this CPU", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->measuring.request.plugins;
        state->child_inputs[3] = &options->sharing;
        return 0;
    case 's': {
        size_t m, k;
        if (shape_parse(argument, &m, &k))
            argp_error(state, "--shape takes MxK such as 4096x4096, not '%s'", argument);
        if (options->shape_count == SHAPES_GIVEN_MAX)
            argp_error(state, "at most %d shapes", SHAPES_GIVEN_MAX);
        options->shapes[options->shape_count++] = argument;
        return 0;
    }
    case 'm': options->model = argument; return 0;
    case OPTION_PREFETCH:
        options->prefetch_bytes = option_number(argument, 0, 1 << 20, "--prefetch", state);
        options->prefetch_given = true;
        return 0;
    case OPTION_COLD: options->cold = true; return 0;
    case OPTION_WARM: options->warm = true; return 0;
    case OPTION_RESULTS: options->run.results = argument; return 0;
    case OPTION_INTO: options->run.into = argument; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what to measure ---- */

static int add_kernels(const struct session *session, const char *pattern, struct gemv_job *job)
{
    const struct kernel *known = NULL;
    size_t before = job->kernel_count;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!(*kernel)->gemv || (pattern && !given_name_means(pattern, (*kernel)->name)))
            continue;
        known = *kernel;
        if (session_runs(session, (*kernel)->isa) && job->kernel_count < GEMV_JOB_KERNELS)
            job->kernels[job->kernel_count++] = *kernel;
    }
    if (!known && given_name_withheld(pattern, &session->plugins))
        return 0; /* reported already */
    if (!known)
        return complain(EXIT_USAGE, command_name, "no kernel '%s'; `kneepoint list kernels` shows them",
                        pattern ? pattern : "");
    if (job->kernel_count == before) {
        char missing[160];
        isa_missing(isa_find(known->isa), &session->machine.dump, missing, sizeof missing);
        return complain(EXIT_USAGE, command_name, "%s cannot run on this CPU: it %s", known->name, missing);
    }
    return 0;
}

static int select_kernels(const struct session *session, const struct options *options, struct gemv_job *job)
{
    int code = options->count ? 0 : add_kernels(session, NULL, job);
    for (int i = 0; !code && i < options->count; i++)
        code = add_kernels(session, options->names[i], job);
    job->kernels_named = options->count;
    return code;
}

static int select_shapes(const struct options *options, struct gemv_job *job)
{
    for (size_t i = 0; i < options->shape_count; i++) {
        struct shape *shape = &job->shapes[job->shape_count++];
        *shape = (struct shape){.count = 1};
        shape_parse(options->shapes[i], &shape->m, &shape->k);
    }
    job->shapes_named = options->shape_count;
    if (options->model) {
        struct shape all[SHAPES_MAX];
        size_t total = shapes_all(all, SHAPES_MAX), before = job->shape_count;
        for (size_t i = 0; i < total && job->shape_count < SHAPES_MAX; i++) {
            if (strcmp(options->model, "all") == 0 || strcmp(options->model, all[i].model) == 0)
                job->shapes[job->shape_count++] = all[i];
        }
        if (job->shape_count == before)
            return complain(EXIT_USAGE, command_name, "no model '%s'; `kneepoint list shapes` shows them",
                            options->model);
    }
    if (!job->shape_count)
        job->shapes[job->shape_count++] = (struct shape){.m = 4096, .k = 4096, .count = 1};
    return 0;
}

/** What the options ask for, refused or thinned out where it cannot be measured. */
static int select_job(struct session *session, const struct options *options, struct gemv_job *job)
{
    char why[SESSION_WHY];
    job->sizes[0] = session->threads;
    job->teams = options->measuring.threads_given ? 1 : plan_team_sizes(session->threads, job->sizes);
    job->cold = options->cold || !options->warm;
    job->warm = options->warm || !options->cold;
    job->prefetch_given = options->prefetch_given;
    job->prefetch_bytes = options->prefetch_bytes;
    job->samples = options->measuring.samples;
    job->schedules = options->sharing.schedules;
    int code = select_kernels(session, options, job);
    if (!code)
        code = select_shapes(options, job);
    if (code)
        return code;
    if (gemv_job_check_formats(job, why, sizeof why) || gemv_job_check_schedules(job, session, why, sizeof why) ||
        (job->kernel_count && gemv_job_check_memory(job, session, why, sizeof why)) ||
        gemv_job_try(job, session, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    return EXIT_DONE;
}

/* ---- printing ---- */

/** What was left out, by name and reason. */
static int print_left_out(const struct gemv_job *job, bool json)
{
    char why[160];
    for (size_t i = 0; i < job->kernel_count * job->shape_count; i++) {
        const struct shape *shape = &job->shapes[i % job->shape_count];
        const struct kernel *kernel = job->kernels[i / job->shape_count];
        if (!gemv_job_leaves_out(job, i / job->shape_count, i % job->shape_count, why, sizeof why))
            continue;
        if (!json)
            printf("left out: %s on %zux%zu: %s\n", kernel->name, shape->m, shape->k, why);
        else if (print_record(command_name,
                              json_pack("{s:s, s:s, s:I, s:I, s:s}", "type", "skipped", "name", kernel->name, "m",
                                        (json_int_t)shape->m, "k", (json_int_t)shape->k, "reason", why)))
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/** Kernels of plug-ins that failed their check, for programs; for people they are on standard error. */
static int print_withheld(const struct session *session, bool json)
{
    int code = EXIT_DONE;
    for (size_t i = 0; json && !code && i < session->plugins.faults; i++)
        code = print_record(command_name, command_session_withheld(&session->plugins.fault[i]));
    return code;
}

static void print_header(void)
{
    printf("%-*s %12s %5s %3s %-5s %-7s %10s %8s %6s %7s %6s %6s %9s %6s %9s %6s %-10s %6s %s\n", NAME_MAX_SHOWN,
           "kernel", "shape", "bits", "thr", "proto", "level", "time us", "GB/s", "roof", "op/c", "gamma", "omega",
           "max us", "resid", "model us", "resid", "binds", "prep", "error");
}

/** A share that may be negative, in percent, or a dash. */
static void print_residual(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    if (json_is_number(value))
        printf(" %+5.1f%%", 100 * json_number_value(value));
    else
        printf(" %6s", "-");
}

/** What a plain cell is not: its schedule and what that attains of the sum, its member, a speed that is emulated. */
static void print_sharing(const json_t *record)
{
    const char *schedule = json_string_value(json_object_get(record, "schedule"));
    const json_t *of_sum = json_object_get(record, "of_sum"), *member = json_object_get(record, "member");
    const json_t *speeds = json_object_get(record, "emulated_speeds");
    if (schedule && json_integer_value(json_object_get(record, "threads")) > 1)
        printf("  %s", schedule);
    if (json_is_number(of_sum))
        printf(" %.1f%% of the sum", 100 * json_number_value(of_sum));
    if (member)
        printf("  member %lld", (long long)json_integer_value(member));
    for (size_t t = 0; t < json_array_size(speeds); t++) {
        if (json_number_value(json_array_get(speeds, t)) < 1)
            printf("  emulated: member %lld at %g of its speed", (long long)json_integer_value(member) + (long long)t,
                   json_number_value(json_array_get(speeds, t)));
    }
}

/** @return false for a row without a number */
static bool print_row(const json_t *record)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%lldx%lld", (long long)json_integer_value(json_object_get(record, "m")),
             (long long)json_integer_value(json_object_get(record, "k")));
    printf("%-*s %12s %5.2f %3lld %-5s %-7s", NAME_MAX_SHOWN, json_string_value(json_object_get(record, "name")), shape,
           json_number_value(json_object_get(record, "bits")),
           (long long)json_integer_value(json_object_get(record, "threads")),
           json_string_value(json_object_get(record, "protocol")), json_string_value(json_object_get(record, "level")));
    if (!print_unless_few(record, "time_s"))
        return false;
    print_median(record, "time_s", 1e6, 10, 2);
    print_median(record, "bytes_per_s", 1e-9, 8, 2);
    print_median(record, "roof_fraction", 1, 6, 3);
    print_median(record, "ops_per_cycle", 1, 7, 1);
    print_median(record, "gamma", 1, 6, 2);
    print_median(record, "omega", 1, 6, 2);
    print_median(record, "predicted_s", 1e6, 9, 2);
    print_residual(record, "residual");
    print_median(record, "predicted_overlap_s", 1e6, 9, 2);
    print_residual(record, "residual_overlap");
    const char *binds = json_string_value(json_object_get(record, "binds"));
    printf(" %-10s ", binds ? binds : "-");
    const json_t *share = json_object_get(record, "prepare_share");
    if (json_is_number(share))
        printf("%5.1f%% ", 100 * json_number_value(share));
    else
        printf("%6s ", "-");
    char error[16];
    snprintf(error, sizeof error, "%.1e", json_number_value(json_object_get(record, "error")));
    printf("%s%s%s%s", json_is_true(json_object_get(record, "exact")) ? "exact" : error,
           json_is_true(json_object_get(record, "one_layer")) ? "  one layer" : "",
           json_is_true(json_object_get(record, "above_roof")) ? "  above the roof: not valid" : "",
           json_is_true(json_object_get(record, "far_below")) ? "  far below its prediction" : "");
    print_sharing(record);
    putchar('\n');
    return true;
}

static int print_gemv_cells(const struct session *session, const struct cells *cells, bool json)
{
    size_t few = 0;
    if (!json)
        print_header();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (beta_cell(cell) || (cell->kernel && plugins_fault(&session->plugins, cell->kernel->name)))
            continue;
        if (gemv_cell(cell) && gemv_cell(cell)->beside)
            continue;
        json_t *record = summary_record(session, cells, cell);
        if (!record)
            continue;
        if (json && print_record(command_name, record))
            return EXIT_USAGE;
        if (!json && gemv_cell(cell))
            few += !print_row(record);
        if (!json)
            json_decref(record);
    }
    print_few_remedy(few);
    return EXIT_DONE;
}

static void print_legend(void)
{
    puts("\nbits: of a packed weight, scales and padding included. roof: attained over the read roof measured just "
         "before each sample.\nop/c: operations (2 per weight) per core cycle per core. gamma: of the kernel's "
         "sequence. omega: how much of the shorter of\nreading and computing hides behind the longer. max: "
         "max(bytes / beta, gamma x vectors / clock); model: the same with omega,\nbytes at what one core reads alone "
         "and at what the team does; both and the start of a call, from beta of the run, not from\nthe roof beside "
         "the cell. resid: of cells other than the one that omega is taken from. prep: from f32 activations to the\n"
         "kernel's operand on one core, as a share of the GEMV's time and no part of it. error: largest distance from "
         "the format's\ndefinition over the largest result.");
}

static void print_omega(const json_t *record)
{
    struct summary omega;
    const char *why = json_string_value(json_object_get(record, "omega_reason"));
    printf("omega of %-*s ", NAME_MAX_SHOWN, json_string_value(json_object_get(record, "name")));
    if (record_quantity_read(record, "omega", &omega)) {
        printf("not known: %s\n", why ? why : "too few samples were kept");
        return;
    }
    printf("%6.3f [%.3f, %.3f], n %zu, %s%s\n", omega.median, omega.ci95[0], omega.ci95[1], omega.n,
           json_string_value(json_object_get(json_object_get(record, "omega"), "grade")),
           omega.median < 0   ? ": both together take longer than one after the other; something else holds it"
           : omega.median > 1 ? ": both together take less than either; its gamma or beta is not what it does"
                              : "");
}

/** omega of each kernel, measured on one shape with one thread whatever was asked for. */
static int print_omegas(const struct session *session, const struct cells *cells, bool json)
{
    if (!json)
        printf("\nomega, from %dx%d cold with one thread:\n", GEMV_CALIBRATION_SIDE, GEMV_CALIBRATION_SIDE);
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->samples.count && gemv_cell(cell) && !plugins_fault(&session->plugins, cell->kernel->name)
                             ? cell->kind->derived(session, cells, cell)
                             : NULL;
        if (json && record && print_record(command_name, record))
            return EXIT_USAGE;
        if (!json && record)
            print_omega(record);
        if (!json)
            json_decref(record);
    }
    return EXIT_DONE;
}

static int print_all(const struct session *session, const struct cells *cells, const struct gemv_job *job, bool json)
{
    int code = print_gemv_cells(session, cells, json);
    if (!code)
        code = print_omegas(session, cells, json);
    if (!json)
        print_legend();
    if (!code)
        code = print_left_out(job, json);
    return code ? code : print_withheld(session, json);
}

static int print_path(const char *path, bool json)
{
    if (json)
        return print_record(command_name,
                            json_pack("{s:s, s:s, s:s}", "type", "run", "name", command_name, "path", path));
    printf("\nsaved: %s\n", path);
    return EXIT_DONE;
}

/* ---- measuring ---- */

/** Measure, print, and write what was asked to be written. */
static int measure_and_write(const struct options *options, struct session *session, struct cells *cells,
                             const struct gemv_job *job, struct run_writer *writer)
{
    char why[SESSION_WHY];
    bool json = options->measuring.json;
    double started_s = clock_monotonic_s();
    const struct execution execution = {.visited = run_writer_visited, .context = writer};
    int error = writer->created ? run_writer_machine(writer, session, why, sizeof why) : 0;
    if (!error)
        error = gemv_job_measure(job, session, cells, &execution, why, sizeof why);
    if (error)
        return complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s", why);
    int code = print_all(session, cells, job, json);
    double seconds = clock_monotonic_s() - started_s;
    const struct run_end end = {.command = command_name, .seconds = seconds, .budget_s = seconds};
    if (run_writer_finish(writer, session, cells, writer->created ? &end : NULL, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    return code || !writer->run ? code : print_path(run_writer_path(writer), json);
}

static int measure_job(const struct options *options, struct session *session, struct cells *cells,
                       struct gemv_job *job)
{
    char why[SESSION_WHY];
    struct run_writer writer;
    int code = select_job(session, options, job);
    if (!code && !job->kernel_count)
        return print_withheld(session, options->measuring.json); /* all that was asked for */
    if (code)
        return code;
    if (gemv_job_add_roofs(job, session, cells))
        return complain(EXIT_USAGE, command_name, "no memory");
    int error = run_writer_open(&writer, &options->run, session, cells, why, sizeof why);
    if (error)
        return complain(error == -EXDEV ? EXIT_INCOMPARABLE : EXIT_USAGE, command_name, "%s", why);
    code = measure_and_write(options, session, cells, job, &writer);
    run_writer_close(&writer);
    return code;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    struct gemv_job *job = calloc(1, sizeof *job);
    if (!job)
        return complain(EXIT_USAGE, command_name, "no memory");
    int code = measure_job(given, session, cells, job);
    free(job);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                                 {&samples_argp, 0, NULL, 0},
                                                 {&plugins_argp, 0, NULL, 0},
                                                 {&schedule_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[KERNEL...]",
        .doc =
            "Run GEMV kernels (y = W a, N = 1) over shapes and teams, checked against the scalar reference first, then "
            "timed, and hold them against the model. KERNEL is a kernel's name or leading parts "
            "of it, such as int2_planes; without one, every kernel that runs here.",
        .children = children,
    };
    struct options options = {0};
    int code = parse_options(&argp, argc, argv, &options);
    options.run.argc = argc;
    options.run.argv = argv;
    if (!code && options.run.results && options.run.into)
        return complain(EXIT_USAGE, command_name, "a run is new, --results, or there is one, --into; not both");
    char why[SESSION_WHY];
    if (!code && schedule_options_settle(&options.sharing, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    if (!code)
        code = command_session_run(command_name, &options.measuring.request, measure, &options);
    schedule_options_release(&options.sharing);
    return code;
}

const struct command command_gemv = {
    .name = command_name,
    .summary = "low-bit GEMV kernels over shapes and teams, cold and warm, against the model",
    .run = run,
};
