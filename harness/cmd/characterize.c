/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/interruption.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/device_option.h"
#include "harness/cmd/console/options/plan_options.h"
#include "harness/command/command.h"
#include "harness/measure/process_arguments.h"
#include "harness/plan/characterize/characterization.h"
#include "harness/plan/characterize/characterization_plan.h"
#include "harness/plan/characterize/characterize_blocks.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plan/shared_cores.h"
#include "harness/record/provenance.h"
#include "platforms/cpu/emulator.h"
#include "reports/draw/gnuplot.h"
#include "reports/page/report.h"
#include "results/files/file_replace.h"
#include "results/files/input.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"

static const char command_name[] = "characterize";

enum { OPTION_BLOCKS = 0x200, OPTION_RESULTS, OPTION_NODE, OPTION_RESUME, OPTION_REPORT, OPTION_DEVICE, OPTION_TUNING };

struct options {
    struct measuring_options measuring;
    struct plan_options plan;
    double budget_s;
    unsigned blocks;
    const char *results, *node, *resume;
    const char *named;    /* by --device; NULL: none */
    struct device device; /* which that is */
    bool report;
    bool own_settings; /* --tuning=none */
};

static const struct argp_option option_table[] = {
    {"blocks", OPTION_BLOCKS, "N", 0,
     "Measure in N fresh processes, one after the other, which share the time; a run to be compared needs 7 or more "
     "(default: 1, with --for=compare 7)",
     0},
    {"device", OPTION_DEVICE, "DEVICE", 0,
     "Measure an OpenCL device as well, opencl:0 or a part of its name as `info` lists it: roofs, gamma, GEMV and GEMM",
     0},
    {"results", OPTION_RESULTS, "DIR", 0, "Folder below which the run is written (default: results)", 0},
    {"node", OPTION_NODE, "NAME", 0, "Name of this machine in a fleet, for the new run's name and meta.json", 0},
    {"resume", OPTION_RESUME, "RUN", 0, "Continue an interrupted run", 0},
    {"tuning", OPTION_TUNING, "HOW", 0,
     "Prefetch distances of our GEMVs: self, those that the first visit to each kernel finds fastest, or none, the "
     "kernels' own (default: self, with --for=compare none)",
     0},
    {"report", OPTION_REPORT, NULL, 0, "Render the HTML report at the end", 0},
    {0},
};

#define LETTERS_AND_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->measuring;
        state->child_inputs[1] = &options->measuring.request.plugins;
        state->child_inputs[2] = &options->plan;
        return 0;
    case OPTION_BLOCKS: options->blocks = (unsigned)option_number(argument, 1, 1000, "--blocks", state); return 0;
    case OPTION_RESULTS: options->results = argument; return 0;
    case OPTION_NODE:
        if (!argument[strcspn(argument, LETTERS_AND_DIGITS)])
            argp_error(state, "--node takes a name, not '%s'", argument);
        options->node = argument;
        return 0;
    case OPTION_RESUME: options->resume = argument; return 0;
    case OPTION_REPORT: options->report = true; return 0;
    case OPTION_DEVICE: options->named = argument; return 0;
    case OPTION_TUNING:
        if (strcmp(argument, "self") != 0 && strcmp(argument, "none") != 0)
            argp_error(state, "--tuning takes self or none, not '%s'", argument);
        options->own_settings = strcmp(argument, "none") == 0;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void show_progress(void *context, double fraction, double remaining_s, const char *now)
{
    progress_update(context, fraction > 1 ? 1 : fraction, remaining_s, now);
}

/** @return EXIT_USAGE if it cannot be written; that there is none is no error */
static int write_platform_file(const struct characterization *job)
{
    char name[128], path[4352], why[SESSION_WHY];
    provenance_machine_name(&job->session->machine, name, sizeof name);
    const char *emulator = machine_emulator(&job->session->machine);
    if (emulator[0])
        return complain(0, command_name, "no platform file: what %s timed is " EMULATOR_NO_SPEED, emulator);
    snprintf(path, sizeof path, "%s/platform.json", run_writer_path(&job->writer));
    json_t *platform = characterization_platform(job, name);
    char *text = platform ? json_dumps(platform, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    int code = EXIT_DONE;
    if (!text)
        complain(0, command_name,
                 "no platform file: the roof of the whole team was not measured, or fewer than %d of its samples were "
                 "kept",
                 STATS_KEPT_LEAST);
    else if (file_replace(path, text, strlen(text), why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    free(text);
    json_decref(platform);
    return code;
}

/** The numbers that the machine is known by, as on top of the page; those that are not known with the reason. */
static int print_headlines(const char *path)
{
    struct headline headlines[HEADLINES];
    char why[SESSION_WHY], line[1024];
    if (report_headlines(path, headlines, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    for (size_t i = 0; i < HEADLINES; i++) {
        headline_line(&headlines[i], line, sizeof line);
        printf("%s\n", line);
    }
    return EXIT_DONE;
}

/** The report, if it was asked for; its path comes last. */
static int render(const struct options *options, const char *path)
{
    if (!options->report)
        return EXIT_DONE;
    char why[SESSION_WHY], folder[4096];
    int code = EXIT_DONE;
    int error = report_render(path, NULL, NULL, why, sizeof why);
    if (!options->measuring.json && (!error || error == -ENOPKG))
        code = print_headlines(path);
    if (!code && report_default_folder(path, folder, sizeof folder) == 0 && (!error || error == -ENOPKG))
        code = print_report(command_name, options->measuring.json, path, folder);
    return error ? complain(EXIT_USAGE, command_name, "%s", why) : code;
}

/** How what was measured differs from what was announced. */
static void report_changes(const struct characterization *job)
{
    if (job->dropped)
        complain(0, command_name, "%zu planned cells were skipped: the time%s budget ran out", job->dropped,
                 isfinite(job->budget_bytes) ? " or size" : "");
    if (job->added)
        complain(0, command_name, "%zu more cells than planned were measured in the time left", job->added);
    if (job->failed)
        complain(0, command_name, "%zu planned cells could not be measured; the last record says why", job->failed);
    if (job->unsettled)
        complain(0, command_name,
                 "%zu cells have no number: the machine is too busy, and fewer than %d samples of each were kept",
                 job->unsettled, STATS_KEPT_LEAST);
}

static int finish(const struct options *options, const struct characterization *job)
{
    const char *path = run_writer_path(&job->writer);
    if (job->interrupted) {
        fprintf(stderr,
                "kneepoint characterize: interrupted; what was measured is in %s\n"
                "  continue: kneepoint characterize --resume=%s\n  report:   kneepoint report %s\n",
                path, path, path);
        return EXIT_INTERRUPTED;
    }
    int code = EXIT_DONE;
    if (options->measuring.json)
        code = print_record(command_name,
                            json_pack("{s:s, s:s, s:s, s:f, s:I}", "type", "run", "name", "characterize", "path", path,
                                      "seconds", job->seconds, "cells_skipped", (json_int_t)job->failed));
    else
        printf("%s\n", path);
    report_changes(job);
    return code ? code : render(options, path);
}

/** What will be measured and what not, before anybody waits for it. */
static void announce(const struct options *options, const struct characterization *job)
{
    char budget[32];
    fprintf(
        stderr,
        "kneepoint characterize: measures %zu of %zu cells, %s%u samples of each, for about %.0f s, %.1f MB (budget: %s)\n",
        job->planned, job->cells.count, job->purpose->kept_of ? "up to " : "", job->purpose->kept,
        job->planned_sum.seconds, 1e-6 * job->planned_sum.bytes, budget_text(job->budget_s, budget, sizeof budget));
    plan_print_values(stderr, &job->cells, job->purpose);
    if (job->planned < job->cells.count)
        fprintf(stderr, "  %zu cells are left out; `kneepoint list plan --budget=%s%s%s` lists them\n",
                job->cells.count - job->planned, options->plan.budget, options->plan.size ? " --size=" : "",
                options->plan.size ? options->plan.size : "");
}

static int characterize(const struct options *options, struct characterization *job, int argc, char **argv)
{
    char why[SESSION_WHY] = "";
    struct plan_only only;
    int code = plan_options_only(command_name, &options->plan, &only);
    if (code)
        return code;
    if (characterization_plan(job->session, job->purpose, &only, &job->cells))
        return complain(EXIT_USAGE, command_name, "no memory");
    if (characterization_choose(job, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    const struct run_request request = {options->results, options->resume, options->node, argc, argv};
    int error = run_writer_open(&job->writer, &request, job->session, &job->cells, why, sizeof why);
    if (error)
        return complain(error == -EXDEV ? EXIT_INCOMPARABLE : EXIT_USAGE, command_name, "%s", why);
    if (product_take_distances(job->session, &job->cells))
        return complain(EXIT_USAGE, command_name, "no memory");
    job->again = job->writer.completed;
    if (job->again && characterization_choose(job, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    command_session_warn_busy(command_name, job->session);
    announce(options, job);
    struct progress progress;
    progress_begin(&progress, "characterize");
    job->progress = show_progress;
    job->context = &progress;
    error = characterization_run(job, why, sizeof why);
    progress_end(&progress);
    if (error)
        return complain(exit_code_of(error), command_name, "%s", why);
    code = job->purpose == &purpose_machine ? write_platform_file(job) : EXIT_DONE;
    int finished = finish(options, job);
    return finished ? finished : code;
}

/** The value of an option among a command's arguments, "--only=NAME" or "--only" "NAME"; NULL: argument i is another one. */
static const char *argument_of(const json_t *command, size_t i, const char *option)
{
    const char *argument = json_string_value(json_array_get(command, i));
    const size_t length = strlen(option);
    if (!argument || strncmp(argument, option, length) != 0)
        return NULL;
    return argument[length] == '='    ? argument + length + 1
           : argument[length] == '\0' ? json_string_value(json_array_get(command, i + 1))
                                      : NULL;
}

/**
 * What is resumed goes on with the --only and the --device that it was begun with, unless others are given: its meta.json has the command.
 * @return meta.json, which has the names; NULL: nothing was taken from it
 */
static json_t *take_given(struct options *options)
{
    char path[4352];
    const bool only = !options->plan.name_count, device = !options->named, tuning = !options->own_settings;
    if (!options->resume)
        return NULL;
    snprintf(path, sizeof path, "%s/meta.json", options->resume);
    json_t *meta = input_json(path, NULL, 0); /* what is wrong with it is said where the run is opened */
    const json_t *command = json_object_get(meta, "command");
    for (size_t i = 0; i < json_array_size(command); i++) {
        const char *name = only ? argument_of(command, i, "--only") : NULL,
                   *named = device ? argument_of(command, i, "--device") : NULL,
                   *how = tuning ? argument_of(command, i, "--tuning") : NULL;
        if (name && options->plan.name_count < PLAN_ONLY_MOST) {
            options->plan.names[options->plan.name_count++] = name;
            complain(0, command_name, "continues with --only=%s, as %s was started", name, options->resume);
        }
        if (how && strcmp(how, "none") == 0) {
            options->own_settings = true;
            complain(0, command_name, "continues with --tuning=none, as %s was started", options->resume);
        }
        if (named) {
            options->named = named;
            complain(0, command_name, "continues with --device=%s, as %s was started", named, options->resume);
        }
    }
    return meta;
}

/** On cores that others share: the teams that can be measured, or those of the run that is resumed. */
static int settle_team(const struct options *options, struct session *session)
{
    const struct team_request *team = &options->measuring.request.team;
    char why[SESSION_WHY] = "";
    if (options->resume) {
        char path[4352];
        snprintf(path, sizeof path, "%s/meta.json", options->resume);
        json_t *meta = input_json(path, NULL, 0); /* what is wrong with it is said where the run is opened */
        int error = provenance_narrow(meta, session, why, sizeof why);
        json_decref(meta);
        return error ? complain(EXIT_INCOMPARABLE, command_name, "run %s %s", options->resume, why) : EXIT_DONE;
    }
    if (options->measuring.threads_given || team->cpus || team->use_smt || options->plan.purpose != &purpose_machine)
        return EXIT_DONE; /* what is compared has the same teams on both sides */
    if (shared_cores_narrow(session, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    if (session->narrowed.asked)
        complain(0, command_name,
                 "programs that this system does not show share the cores: %u threads had their cores to themselves "
                 "in %.0f%% of the checks, %u threads in %.0f%%; teams of at most %u are measured (--threads=%u "
                 "overrides this)",
                 session->narrowed.asked, 100 * session->narrowed.undisturbed_asked, session->threads,
                 100 * session->narrowed.undisturbed_chosen, session->threads, session->narrowed.asked);
    return EXIT_DONE;
}

/** Several processes, each of which is this command again; this one only starts them. */
static int measure_blocks(const struct options *options)
{
    char why[SESSION_WHY], path[4096];
    struct progress progress;
    struct process_arguments arguments = {0};
    process_arguments_add(&arguments, "--results=%s", options->results);
    if (options->node)
        process_arguments_add(&arguments, "--node=%s", options->node);
    process_arguments_add(&arguments, "--for=%s", options->plan.purpose->name);
    process_arguments_add(&arguments, "--blocks=1");
    if (options->named)
        process_arguments_add(&arguments, "--device=%s", options->named);
    if (options->own_settings)
        process_arguments_add(&arguments, "--tuning=none");
    if (options->plan.size)
        process_arguments_add(&arguments, "--size=%s", options->plan.size);
    for (size_t i = 0; i < options->plan.name_count; i++)
        process_arguments_add(&arguments, "--only=%s", options->plan.names[i]);
    options_pass_on(&options->measuring, &arguments);
    if (arguments.failed)
        return complain(EXIT_USAGE, command_name, "no memory");
    progress_begin(&progress, "characterize");
    struct characterize_blocks job = {
        .program = "/proc/self/exe",
        .arguments = (const char *const *)arguments.argv,
        .resume = options->resume,
        .blocks = options->blocks,
        .budget_s = (unsigned)options->budget_s / options->blocks,
        .stop = interruption_watch(),
        .progress = show_progress,
        .context = &progress,
    };
    int error = characterize_blocks_run(&job, path, sizeof path, why, sizeof why);
    progress_end(&progress);
    process_arguments_release(&arguments);
    if (error == -EINTR && path[0])
        snprintf(why, sizeof why, "interrupted; what was measured is in %.400s", path);
    if (error)
        return complain(error == -EINTR    ? EXIT_INTERRUPTED
                        : error == -EILSEQ ? EXIT_CHECK_FAILED
                        : error == -EXDEV  ? EXIT_INCOMPARABLE
                                           : EXIT_USAGE,
                        command_name, "%s", why);
    int code = EXIT_DONE;
    if (options->measuring.json)
        code = print_record(command_name, json_pack("{s:s, s:s, s:s, s:i}", "type", "run", "name", "characterize",
                                                    "path", path, "blocks", (int)options->blocks));
    else
        printf("%s\n", path);
    if (!code)
        code = render(options, path);
    return job.withheld[0] && !code ? complain(EXIT_CHECK_FAILED, command_name, "%s", job.withheld) : code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&measuring_argp, 0, NULL, 0}, {&plugins_argp, 0, NULL, 0}, {&plan_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "Measure this machine within a time budget: clocks, barrier, beta per level and team, gamma per sequence, "
            "streams against the model, activation quantization, GEMV kernels over the shapes of real models. Writes a "
            "run (DIR/runs/<platform>/<run>/meta.json and records.jsonl) and its platform.json, and prints the run's "
            "path. Ctrl-C keeps what was measured.",
        .children = children,
    };
    struct options options = {.results = "results"};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    options.budget_s = plan_options_settle(&options.plan);
    if (!options.blocks)
        options.blocks = options.plan.purpose->blocks ? options.plan.purpose->blocks : 1;
    if (options.budget_s < CHARACTERIZE_BUDGET_LEAST_S)
        return complain(EXIT_USAGE, command_name,
                        "a budget of %.0f s is too small to measure beta and gamma; give at least %d", options.budget_s,
                        CHARACTERIZE_BUDGET_LEAST_S);
    if (options.blocks > 1 && isinf(options.budget_s))
        return complain(EXIT_USAGE, command_name,
                        "--blocks needs a budget in seconds to divide; --budget=full has none");
    if (floor(options.budget_s / options.blocks) < CHARACTERIZE_BUDGET_LEAST_S)
        return complain(EXIT_USAGE, command_name,
                        "a budget of %.0f s leaves %.0f s to each of %u blocks; give at least --budget=%u",
                        options.budget_s, floor(options.budget_s / options.blocks), options.blocks,
                        CHARACTERIZE_BUDGET_LEAST_S * options.blocks);
    char why[SESSION_WHY];
    if (options.report && gnuplot_check(why, sizeof why))
        return complain(EXIT_USAGE, command_name, "--report cannot draw: %s, or leave --report out", why);
    if (options.blocks > 1) {
        interruption_catch(command_name);
        return measure_blocks(&options);
    }
    json_t *resumed = take_given(&options);
    struct characterization job = {
        .budget_s = options.budget_s, .budget_bytes = options.plan.bytes, .purpose = options.plan.purpose};
    if (options.named)
        code = device_option_find(command_name, options.named, &options.device);
    if (!code)
        code = command_session_open(command_name, &options.measuring.request, &job.session);
    if (code) {
        json_decref(resumed);
        return code;
    }
    job.session->device = options.named ? &options.device : NULL;
    if (job.purpose == &purpose_machine && !options.own_settings)
        job.session->tunes = SESSION_TUNES_KERNELS;
    job.stop = interruption_watch();
    code = settle_team(&options, job.session);
    if (!code)
        code = characterize(&options, &job, argc, argv);
    run_writer_close(&job.writer);
    cells_release(&job.cells);
    json_decref(job.pace);
    json_decref(resumed);
    return command_session_close(command_name, job.session, code);
}

const struct command command_characterize = {
    .name = command_name,
    .summary = "all of it within a time budget; writes a run and a platform file",
    .run = run,
};
