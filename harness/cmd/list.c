/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/check/format_check.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/plan_options.h"
#include "harness/cmd/list_command/certificates.h"
#include "harness/command.h"
#include "harness/plan/budget.h"
#include "harness/plan/characterization.h"
#include "harness/plan/characterization_plan.h"
#include "harness/plan/parts.h"
#include "harness/plugin/plugins.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "micro/shape.h"
#include "platforms/described_open.h"
#include "platforms/isa.h"
#include "reports/draw/figure.h"
#include "results/controls.h"

static const char command_name[] = "list";

enum { OPTION_CERTIFICATE = 0x200 };

/** Of what a format says that a weight takes and what it takes: less is rounding, or what rows begin with. */
static const double BITS_DIFFER = 0.02;

struct options {
    bool json, certificate;
    const char *what;
    struct plan_options plan; /* of `list plan` alone */
    struct plugins_request wanted;
    struct plugins plugins;
    struct cpuid_dump dump;
    isa_features features;
};

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {"certificate", OPTION_CERTIFICATE, NULL, 0,
     "With kernels: what each that runs here gives for operands known to break kernels, row by row against its "
     "definition; exit 1 if any gives what it must not",
     0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->wanted;
        state->child_inputs[1] = &options->plan;
        return 0;
    case 'j': options->json = true; return 0;
    case OPTION_CERTIFICATE: options->certificate = true; return 0;
    case ARGP_KEY_ARG:
        if (options->what)
            argp_error(state, "one list at a time");
        options->what = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "list what? sequences, kernels, shapes, platforms, figures or plan");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/** "yes", or why code of this ISA cannot run here. */
static bool runs(const struct options *options, const char *isa, char *reason, size_t size)
{
    const struct isa *row = isa_find(isa);
    isa_missing(row, &options->dump, reason, size);
    return isa_runs(row, options->features);
}

static void set_runs(json_t *record, bool can_run, const char *reason)
{
    json_object_set_new(record, "runs", json_boolean(can_run));
    json_object_set_new(record, "reason", can_run ? json_null() : json_string(reason));
}

static void set_plugin(json_t *record, const struct plugin *plugin)
{
    if (!plugin)
        return;
    json_object_set_new(record, "plugin", json_string(plugin->description->name));
    json_object_set_new(record, "plugin_hash", json_string(plugin->file.hash));
}

static int list_sequences(const struct options *options)
{
    if (!options->json)
        printf("%-34s %-10s %7s %5s %5s %8s  %s\n", "sequence", "origin", "B/vec", "uops", "least", "claimed",
               "runs here");
    for (const struct sequence *const *at = sequence_all(); *at; at++) {
        const struct sequence *sequence = *at;
        char reason[160];
        bool can_run = runs(options, sequence->isa, reason, sizeof reason);
        if (options->json) {
            json_t *record = json_pack(
                "{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:i}", "type", "sequence", "name", sequence->name,
                "format", sequence->format, "sequence", sequence->sequence, "isa", sequence->isa, "origin",
                sequence->origin, "bytes_per_vector", sequence->bytes_per_vector, "group_uops",
                (int)sequence->group_uops, "group_dots", (int)sequence->group_dots, "least_accumulators",
                (int)sequence->least_accumulators, "most_accumulators", (int)sequence->variants);
            json_object_set_new(record, "claimed",
                                sequence->claimed_gamma > 0 ? json_real(sequence->claimed_gamma) : json_null());
            set_runs(record, can_run, reason);
            set_plugin(record, plugins_of_sequence(&options->plugins, sequence));
            if (print_record(command_name, record))
                return EXIT_USAGE;
            continue;
        }
        char claimed[16] = "-";
        if (sequence->claimed_gamma > 0)
            snprintf(claimed, sizeof claimed, "%.2f", sequence->claimed_gamma);
        printf("%-34s %-10s %7.1f %5u %5u %8s  %s\n", sequence->name, sequence->origin, sequence->bytes_per_vector,
               sequence->group_uops, sequence->least_accumulators, claimed, can_run ? "yes" : reason);
    }
    return EXIT_DONE;
}

static const char *takes_name(const struct kernel *kernel)
{
    return kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32";
}

static const char *does_name(const struct kernel *kernel)
{
    return !kernel->gemm.run ? "gemv" : kernel->gemv ? "gemv gemm" : "gemm";
}

static const char *gives_name(const struct kernel *kernel)
{
    return kernel->gives == KERNEL_GIVES_INT32 ? "int32" : "f32";
}

/** Kernels that render somebody's, and what differs from the original. */
static void list_renderings(void)
{
    puts(
        "\nRenderings, and what makes their time another than their original's; of all others it was within 5%, measured "
        "beside it:\nGEMVs of 4096x4096, one thread of Zen 5. No rendering prefetches what its original does not, unless it says so:");
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        if ((*at)->differs)
            printf("%-34s %s: %s\n", (*at)->name, (*at)->origin, (*at)->differs);
    }
}

static int list_kernels(const struct options *options)
{
    if (options->certificate)
        return list_certificates(options->features, &options->plugins, options->json);
    if (!options->json)
        printf("%-34s %-10s %6s %6s %7s %9s %-6s %-8s  %-9s  %s\n", "kernel", "origin", "bits", "rows", "columns",
               "largest K", "takes", "lossless", "does", "runs here");
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        const struct kernel *kernel = *at;
        const struct format *format = kernel->format;
        char reason[160];
        bool can_run = runs(options, kernel->isa, reason, sizeof reason);
        if (options->json) {
            json_t *record = json_pack(
                "{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:i, s:s, s:s, s:b, s:f}", "type", "kernel", "name",
                kernel->name, "format", format->name, "sequence", kernel->sequence, "isa", kernel->isa, "origin",
                kernel->origin, "bits", format->bits, "rows_per_panel", (int)format->rows_per_panel, "k_per_step",
                (int)format->k_per_step, "k_multiple", (int)(format->k_multiple ? format->k_multiple : 1), "max_k",
                (int)format->max_k, "activations", takes_name(kernel), "result", gives_name(kernel), "lossless",
                kernel->lossless, "error_bound", kernel->error_bound);
            bool integer = format_is_integer(format);
            json_object_set_new(record, "gemv", json_boolean(kernel->gemv != NULL));
            json_object_set_new(record, "gemm", json_boolean(kernel->gemm.run != NULL));
            json_object_set_new(record, "unpacks_alone", json_boolean(kernel->gemm.unpacks_alone));
            json_object_set_new(record, "weight_min", integer ? json_integer(format->weight_min) : json_null());
            json_object_set_new(record, "weight_max", integer ? json_integer(format->weight_max) : json_null());
            json_object_set_new(record, "differs", kernel->differs ? json_string(kernel->differs) : json_null());
            json_object_set_new(record, "prefetch_beside", json_integer((json_int_t)kernel->prefetch_beside));
            set_runs(record, can_run, reason);
            set_plugin(record, plugins_of_kernel(&options->plugins, kernel));
            if (print_record(command_name, record))
                return EXIT_USAGE;
            continue;
        }
        printf("%-34s %-10s %6.4g %6u %7u %9u %-6s %-8s  %-9s  %s\n", kernel->name, kernel->origin, format->bits,
               format->rows_per_panel, format->k_per_step, format->max_k, takes_name(kernel),
               kernel->lossless ? "yes" : "no", does_name(kernel), can_run ? "yes" : reason);
    }
    if (!options->json)
        list_renderings();
    if (!options->json)
        puts("\nrows and columns: an M x K matrix is padded to multiples of these, or refused where the format says "
             "so.\n"
             "lossless: equal to the integer product, bit for bit, on integer weights and int8 activations.\n"
             "does: gemv, one token at a time (`kneepoint gemv`); gemm, many at once (`kneepoint gemm`).");
    return EXIT_DONE;
}

static int list_shapes(const struct options *options)
{
    struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX);
    if (!options->json)
        printf("%-18s %-10s %8s %8s %10s  %s\n", "model", "roles", "M", "K", "per token", "timed by");
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && !code; i++) {
        const struct shape *shape = &shapes[i];
        if (options->json)
            code = print_record(command_name,
                                json_pack("{s:s, s:s, s:s, s:I, s:I, s:i, s:s}", "type", "shape", "name", shape->model,
                                          "roles", shape->roles, "m", (json_int_t)shape->m, "k", (json_int_t)shape->k,
                                          "count", (int)shape->count, "timed_by", shape->timed_by));
        else
            printf("%-18s %-10s %8zu %8zu %10u  %s\n", shape->model, shape->roles, shape->m, shape->k, shape->count,
                   shape->timed_by);
    }
    return code;
}

/** "", or "at least 44 GB/s" of a bandwidth that may not be stated. */
static const char *bandwidth_text(double bytes_per_s, enum described_limit limit, char text[32])
{
    text[0] = '\0';
    if (!isnan(bytes_per_s))
        snprintf(text, 32, "%s%.1f", described_limit_words(limit), bytes_per_s / 1e9);
    return text;
}

static int list_platform(const struct options *options, const struct described_platform *platform)
{
    const char *lacks = described_is_gpu(platform) ? NULL : described_lacks(platform);
    char read[32], peak[32];
    if (options->json) {
        json_t *record = json_pack("{s:s, s:s, s:s, s:b}", "type", "platform", "name", platform->name, "title",
                                   platform->title, "predictable", !lacks);
        json_object_set_new(record, "reason", lacks ? json_string(lacks) : json_null());
        return print_record(command_name, record);
    }
    printf("%-10s %-45s %14s %14s  %s\n", platform->name, platform->title,
           bandwidth_text(platform->read_bytes_per_s, platform->read_limit, read),
           bandwidth_text(platform->peak_bytes_per_s, platform->peak_limit, peak), lacks ? lacks : "yes");
    return EXIT_DONE;
}

static int list_platforms(const struct options *options)
{
    char name[64], why[256];
    int code = EXIT_DONE;
    if (!options->json)
        printf("%-10s %-45s %14s %14s  %s\n", "platform", "", "read GB/s", "peak GB/s", "predict");
    for (size_t i = 0; !code && described_known_name(i, name, sizeof name); i++) {
        struct described_platform platform;
        if (described_find(name, &platform, why, sizeof why))
            return complain(EXIT_USAGE, command_name, "%s", why);
        code = list_platform(options, &platform);
        described_free(&platform);
    }
    return code;
}

static int list_figures(const struct options *options)
{
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && !code; i++) {
        if (options->json)
            code = print_record(command_name, json_pack("{s:s, s:s, s:s}", "type", "figure", "name", figures[i]->name,
                                                        "title", figures[i]->title));
        else
            printf("%-12s %s\n", figures[i]->name, figures[i]->title);
    }
    return code;
}

/* ---- what would be measured ---- */

/** Cells that the text has on one line: one, or neighbours that are only looked at to choose another. */
struct planned_line {
    const struct cell *first;
    size_t cells;
    double seconds;
};

static void print_line(const struct characterization *job, const struct planned_line *line, const char *reason)
{
    const struct cell *cell = line->first;
    const char *last = strrchr(cell->name, '/');
    printf("%-3s  %9.3f  %-12s ", cell->left_out ? "no" : "yes", line->seconds, job->purpose->value_name(cell->value));
    if (line->cells > 1)
        printf("%.*s: %zu to choose among", (int)(last - cell->name), cell->name, line->cells);
    else
        printf("%s", cell->name);
    printf("%s%s\n", cell->left_out ? "  " : "", cell->left_out ? reason : "");
}

static int print_planned(const struct characterization *job, const struct cell *cell, double seconds,
                         const char *reason)
{
    return print_record(command_name,
                        json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:s?}", "type", "planned", "name", cell->name,
                                  "value", job->purpose->value_name(cell->value), "cost_s", seconds, "cost_bytes",
                                  parts_cell_bytes(job->session, cell, job->purpose), "chosen", !cell->left_out,
                                  "reason", cell->left_out ? reason : NULL));
}

static bool only_chooses(const struct cell *cell)
{
    return cell->kind->only_chooses && cell->kind->only_chooses(cell);
}

/** Whether the next cell belongs to the line: what is looked at for the same choice, and planned or not as that is. */
static bool is_of_line(const struct planned_line *line, const struct cell *next)
{
    const struct cell *first = line->first;
    return first && only_chooses(first) && only_chooses(next) && next->kind == first->kind &&
           next->left_out == first->left_out && next->threads == first->threads &&
           (!first->kind->inseparable || first->kind->inseparable(first, next));
}

/** Value by value, as they are taken. */
static int list_cells(const struct options *options, const struct characterization *job)
{
    struct planned_line line = {0};
    char reason[128];
    int code = EXIT_DONE;
    budget_beyond(job->budget_s, job->budget_bytes, reason, sizeof reason);
    if (!options->json)
        printf("%-3s  %9s  %-12s %s\n", "", "seconds", "value", "cell");
    for (unsigned value = 0; value < PURPOSE_NOT_WANTED && !code; value++) {
        for (size_t i = 0; i < job->cells.count && !code; i++) {
            const struct cell *cell = &job->cells.cell[i];
            double seconds = parts_cell_cost_s(job->session, cell, job->purpose);
            if (cell->value != value)
                continue;
            if (options->json) {
                code = print_planned(job, cell, seconds, reason);
            } else if (is_of_line(&line, cell)) {
                line.cells++;
                line.seconds += seconds;
            } else {
                if (line.first)
                    print_line(job, &line, reason);
                line = (struct planned_line){cell, 1, seconds};
            }
        }
    }
    if (line.first)
        print_line(job, &line, reason);
    if (!code && !options->json) {
        printf("\n%zu of %zu cells, %s%u samples of each, in about %.0f s and %.1f MB:\n", job->planned,
               job->cells.count, job->purpose->kept_of ? "up to " : "", job->purpose->kept, job->planned_sum.seconds,
               1e-6 * job->planned_sum.bytes);
        plan_print_values(stdout, &job->cells, job->purpose);
    }
    return code;
}

/** A session is opened, and nothing measured; plug-ins are read, and not checked. */
static int list_plan(const struct options *options)
{
    struct plan_options plan = options->plan;
    struct characterization job = {.budget_s = plan_options_settle(&plan)};
    job.budget_bytes = plan.bytes;
    const struct session_request request = {.plugins = options->wanted};
    char why[SESSION_WHY];
    job.purpose = plan.purpose;
    if (job.budget_s < CHARACTERIZE_BUDGET_LEAST_S)
        return complain(EXIT_USAGE, command_name, "a budget of %.0f s is too small; give at least %d", job.budget_s,
                        CHARACTERIZE_BUDGET_LEAST_S);
    int code = command_session_open(command_name, &request, &job.session);
    if (code)
        return code;
    if (characterization_list(job.session, job.purpose, &job.cells))
        code = complain(EXIT_USAGE, command_name, "no memory");
    else if (characterization_choose(&job, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    else
        code = list_cells(options, &job);
    cells_release(&job.cells);
    return command_session_close(command_name, job.session, code);
}

/** Plug-ins are read, and not checked: nothing runs. */
/** What a format says of itself, where it is not what a matrix of it takes. */
static void print_bits(const struct plugin *plugin)
{
    for (const struct format *const *format = plugin->formats; *format; format++) {
        double taken = format_taken_bits(*format);
        if (fabs(taken / (*format)->bits - 1) > BITS_DIFFER)
            printf("format %s says %g bits a weight, and takes %g\n", (*format)->name, (*format)->bits, taken);
    }
}

static int list_with_plugins(struct options *options, int (*list)(const struct options *options))
{
    char why[PLUGIN_WHY + 64];
    int error = plugins_add(&options->plugins, &options->wanted, options->features, why, sizeof why);
    int code = error ? complain(EXIT_USAGE, command_name, "%s", why) : list(options);
    for (unsigned i = 0; !code && !options->json && i < options->plugins.count; i++) {
        const struct plugin *plugin = &options->plugins.plugin[i];
        const char *version = plugin->description->version;
        char shown[128], path[1024];
        printf("%splug-in %s%s%s: %s, hash %s\n", i ? "" : "\n", plugin->description->name, version ? " " : "",
               controls_escape(version ? version : "", shown, sizeof shown),
               controls_escape(plugin->path, path, sizeof path), plugin->file.hash);
        print_bits(plugin);
    }
    plugins_close(&options->plugins);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&plugins_argp, 0, NULL, 0}, {&plan_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "sequences|kernels|shapes|platforms|figures|plan",
        .doc = "What there is, and what of it can run here or why not; plan: what `kneepoint characterize` of the same "
               "--budget would measure here, and what not.",
        .children = children,
    };
    static const struct {
        const char *name;
        int (*list)(const struct options *options);
    } lists[] = {{"sequences", list_sequences},
                 {"kernels", list_kernels},
                 {"shapes", list_shapes},
                 {"platforms", list_platforms},
                 {"figures", list_figures}};

    static struct options options = {.wanted.unchecked = true};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    if (options.certificate && strcmp(options.what, "kernels") != 0)
        return complain(EXIT_USAGE, command_name, "--certificate is of kernels: kneepoint list kernels --certificate");
    if (cpuid_dump_host(&options.dump))
        return complain(EXIT_USAGE, command_name, "this architecture is not supported: no CPUID");
    options.features = isa_features_of(&options.dump);
    bool of_plan = strcmp(options.what, "plan") == 0;
    if (!of_plan && (options.plan.budget || options.plan.purpose || options.plan.size))
        return complain(EXIT_USAGE, command_name, "--%s is of `list plan`",
                        options.plan.budget ? "budget"
                        : options.plan.size ? "size"
                                            : "for");
    if (of_plan) /* its session has the plug-ins */
        return list_plan(&options);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(options.what, lists[i].name) == 0)
            return list_with_plugins(&options, lists[i].list);
    }
    return complain(EXIT_USAGE, command_name,
                    "no list of '%s'; there are sequences, kernels, shapes, platforms, figures, plan", options.what);
}

const struct command command_list = {
    .name = command_name,
    .summary = "sequences, kernels, shapes, platforms and figures: what there is and what runs here",
    .run = run,
};
