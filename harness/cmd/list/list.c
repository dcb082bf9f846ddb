/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/check/items/format_check.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/name_options.h"
#include "harness/cmd/console/options/plan_options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/list/list_command.h"
#include "harness/command/command.h"
#include "harness/plan/characterize/characterization.h"
#include "harness/plan/characterize/characterization_plan.h"
#include "harness/plan/characterize/parts.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plugin/name_argument.h"
#include "harness/plugin/name_filter.h"
#include "reports/select/run/peers.h"
#include "results/text/text_escape.h"
#include "results/text/words.h"

static const char command_name[] = "list";

enum { OPTION_CERTIFICATE = 0x200, OPTION_RUN };

/** Of what a format says that a weight takes and what it takes: less is rounding, or what rows begin with. */
static const double BITS_DIFFER = 0.02;

struct options {
    bool json, certificate;
    const char *what; /* NULL: what lists there are */
    char **names;     /* of the list, if only some */
    int count;
    struct table_view view;
    struct plan_options plan; /* of `list plan` alone */
    struct plugins_request wanted;
    struct inventory inventory;
};

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {"certificate", OPTION_CERTIFICATE, NULL, 0,
     "With kernels: check each one that runs here, row by row against its definition, on operands known to break "
     "kernels; exit 1 if any result is wrong",
     0},
    {"run", OPTION_RUN, "RUN", 0, "With figures: which of them this run draws, and what it lacks for the others", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->wanted;
        state->child_inputs[1] = &options->plan;
        state->child_inputs[2] = &options->inventory.filter;
        state->child_inputs[3] = &options->view;
        return 0;
    case 'j': options->json = true; return 0;
    case OPTION_CERTIFICATE: options->certificate = true; return 0;
    case OPTION_RUN: options->inventory.run = argument; return 0;
    case ARGP_KEY_ARGS:
        options->what = state->argv[state->next];
        options->names = state->argv + state->next + 1;
        options->count = state->argc - state->next - 1;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what there is ---- */

static void print_rendering(const json_t *record, const char *differs)
{
    enum { NARROW = 4, WIDE = 120 };
    char line[2048];
    int used = printf("%-34s ", json_string_value(json_object_get(record, "name")));
    bool narrow = console_columns() && console_columns() < WIDE;
    if (narrow)
        printf("\n%*s", NARROW, "");
    snprintf(line, sizeof line, "%s: %s", json_string_value(json_object_get(record, "origin")), differs);
    console_print_hanging(narrow ? NARROW : (size_t)used, line);
}

/** Renderings of published kernels among those listed, and what differs from the original. */
static void print_renderings(const json_t *records)
{
    bool begun = false;
    json_t *record;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        const char *differs = json_string_value(json_object_get(record, "differs"));
        if (differs && !begun)
            console_print_text(
                "\nRenderings whose time differs from their original's, and why. All others were within 5% of it, "
                "measured side by side:\nGEMVs of 4096x4096, one thread of Zen 5. No rendering prefetches what its "
                "original does not, unless it says so:\n");
        if (differs)
            print_rendering(record, differs);
        begun = begun || differs;
    }
}

static void print_below_kernels(const json_t *records)
{
    print_renderings(records);
    console_print_text(
        "\nrows and columns: an M x K matrix is padded to multiples of these, or refused where the format says so.\n"
        "lossless: equal to the integer product, bit for bit, on integer weights and int8 activations.\n"
        "does: gemv, one token at a time (`kneepoint gemv`); gemm, many at once (`kneepoint gemm`).\n");
}

/** Those records that a name means. @return exit code; complains of a name that means none */
static int keep_named(const struct options *options, const struct inventory_list *list, json_t *records)
{
    bool *wanted = calloc(json_array_size(records) + 1, sizeof *wanted);
    char wanted_text[256];
    name_filter_text(&options->inventory.filter, wanted_text, sizeof wanted_text);
    int code = wanted ? EXIT_DONE : complain(EXIT_USAGE, command_name, "no memory");
    for (int n = 0; !code && n < options->count; n++) {
        struct name_argument given = name_argument_begin(options->names[n]);
        struct nearest_name nearest = nearest_name_begin(options->names[n]);
        bool any = false;
        char hint[160];
        for (size_t i = 0; i < json_array_size(records); i++)
            name_argument_hold(&given, json_string_value(json_object_get(json_array_get(records, i), "name")));
        for (size_t i = 0; i < json_array_size(records); i++) {
            const char *name = json_string_value(json_object_get(json_array_get(records, i), "name"));
            bool meant = list->run ? name_argument_means(options->names[n], name) : name_argument_is(&given, name);
            any = any || meant;
            wanted[i] = wanted[i] || meant;
            name_argument_consider(&nearest, name);
        }
        if (!any)
            code = complain(EXIT_USAGE, command_name, "no %.*s '%s'%s%s; `kneepoint list %s` shows them%s",
                            (int)strlen(list->name) - 1, list->name, options->names[n], wanted_text[0] ? " has " : "",
                            wanted_text, list->name, name_argument_suggest(&nearest, hint, sizeof hint));
    }
    for (size_t i = json_array_size(records); !code && options->count && i-- > 0;) {
        if (!wanted[i])
            json_array_remove(records, i);
    }
    free(wanted);
    return code;
}

static int print_list(const struct options *options, const struct inventory_list *list)
{
    char why[256], text[256];
    json_t *records = list->records(&options->inventory, why, sizeof why);
    if (!records)
        return complain(EXIT_USAGE, command_name, "%s", why);
    int code = keep_named(options, list, records);
    if (!code && !json_array_size(records))
        code = complain(EXIT_USAGE, command_name, "no %s has %s", list->name,
                        name_filter_text(&options->inventory.filter, text, sizeof text));
    if (!code && options->certificate)
        code = list_certificates(&(struct list_certificates){.kernels = records,
                                                             .features = options->inventory.features,
                                                             .plugins = &options->inventory.plugins,
                                                             .json = options->json,
                                                             .view = &options->view});
    else if (!code) {
        if (!options->json)
            peers_rename(records);
        code = table_print_records(command_name, list->table, records, options->json, &options->view);
    }
    if (!code && !options->certificate && !options->json && strcmp(list->name, "kernels") == 0)
        print_below_kernels(records);
    json_decref(records);
    return code;
}

/** One line a list: how many items it has, and how many of them run here. */
static int print_count(const struct options *options, const struct inventory_list *list)
{
    char why[256], runs_here[48] = "";
    size_t run = 0, i;
    json_t *records = list->records(&options->inventory, why, sizeof why), *record;
    if (!records)
        return complain(EXIT_USAGE, command_name, "%s", why);
    json_array_foreach(records, i, record) run += json_is_true(json_object_get(record, "runs"));
    size_t count = json_array_size(records);
    json_decref(records);
    if (options->json) {
        record = json_pack("{s:s, s:s, s:s, s:I}", "type", "list", "name", list->name, "what", list->what, "count",
                           (json_int_t)count);
        json_object_set_new(record, "run", list->run ? json_integer((json_int_t)run) : json_null());
        return print_record(command_name, record);
    }
    if (list->run)
        snprintf(runs_here, sizeof runs_here, "%zu run here", run);
    int used = printf("%6zu %-14s %13s  ", count, list->name, runs_here);
    console_print_hanging((size_t)used, list->what);
    return EXIT_DONE;
}

/** Without the name of a list: what lists there are. */
static int print_counts(const struct options *options)
{
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < INVENTORY_LISTS; i++)
        code = print_count(options, &inventory_lists[i]);
    if (!code && !options->json)
        puts("\nkneepoint list kernels                   all of one kind\n"
             "kneepoint list kernels int2 '*.avx2'     by a name's beginning, or a pattern\n"
             "kneepoint list kernels --bits=1..2       also --format, --isa, --origin\n"
             "kneepoint explain NAME                   one of them\n"
             "kneepoint list plan                      what a characterization would measure");
    return code;
}

/* ---- what would be measured ---- */

/** Cells that the text has on one line: one, or neighbours that are only looked at to choose another. */
struct planned_line {
    const struct cell *first;
    size_t cells;
    double seconds;
};

static const char *why_not_text(const json_t *record, char *text, size_t size)
{
    const char *reason = json_string_value(json_object_get(record, "reason"));
    snprintf(text, size, "%s", reason ? reason : "");
    return text;
}

static const struct table_column plan_columns[] = {
    {"", "chosen", .left = true},
    {"seconds", "cost_s", TABLE_NUMBER, .digits = 3, .rank = 1},
    {"value", "value", .rank = 2, .left = true},
    {"cell", "name", .left = true, .clips = 40},
};

static const struct table plan_table = {"planned", "Plan", plan_columns, sizeof plan_columns / sizeof *plan_columns,
                                        .note = why_not_text};

static json_t *planned_record(const struct characterization *job, const struct cell *cell, double seconds,
                              const char *reason)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:s?}", "type", "planned", "name", cell->name, "value",
                     job->purpose->value_name(cell->value), "cost_s", seconds, "cost_bytes",
                     parts_cell_bytes(job->session, cell, job->purpose).all, "chosen", !cell->left_out, "reason",
                     cell->left_out ? reason : NULL);
}

static int add_line(const struct characterization *job, const struct planned_line *line, const char *reason,
                    json_t *rows)
{
    const struct cell *cell = line->first;
    const char *last = strrchr(cell->name, '/');
    json_t *record = planned_record(job, cell, line->seconds, reason);
    char name[sizeof cell->name + 64];
    snprintf(name, sizeof name, "%.*s: %zu to choose among", (int)(last - cell->name), cell->name, line->cells);
    if (line->cells > 1)
        json_object_set_new(record, "name", json_string(name));
    return table_take(command_name, rows, false, record);
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

/** The least value from `from` on that a cell has; PURPOSE_NOT_WANTED if there is no other. */
static unsigned next_value(const struct cells *cells, unsigned from)
{
    unsigned next = PURPOSE_NOT_WANTED;
    for (size_t i = 0; i < cells->count; i++) {
        unsigned value = cells->cell[i].value;
        if (value >= from && value < next)
            next = value;
    }
    return next;
}

/** Value by value, as they are taken. */
static int list_cells(const struct options *options, const struct characterization *job)
{
    struct planned_line line = {0};
    char reason[128];
    int code = EXIT_DONE;
    budget_beyond(job->budget_s, job->budget_bytes, reason, sizeof reason);
    json_t *rows = json_array();
    unsigned value = next_value(&job->cells, 0);
    for (; value < PURPOSE_NOT_WANTED && !code; value = next_value(&job->cells, value + 1)) {
        for (size_t i = 0; i < job->cells.count && !code; i++) {
            const struct cell *cell = &job->cells.cell[i];
            if (cell->value != value)
                continue;
            double seconds = parts_cell_cost_s(job->session, cell, job->purpose);
            if (options->json) {
                code = print_record(command_name, planned_record(job, cell, seconds, reason));
            } else if (is_of_line(&line, cell)) {
                line.cells++;
                line.seconds += seconds;
            } else {
                code = line.first ? add_line(job, &line, reason, rows) : EXIT_DONE;
                line = (struct planned_line){cell, 1, seconds};
            }
        }
    }
    if (!code && line.first)
        code = add_line(job, &line, reason, rows);
    if (!code && !options->json)
        code = table_show(command_name, &plan_table, rows, &options->view);
    json_decref(rows);
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
    struct plan_only only;
    job.session->tunes = job.purpose == &purpose_machine ? SESSION_TUNES_KERNELS : SESSION_TUNES_NONE;
    code = plan_options_only(command_name, &plan, &only);
    if (!code && characterization_list(job.session, job.purpose, &only, &job.cells))
        code = complain(EXIT_USAGE, command_name, "no memory");
    else if (!code && characterization_choose(&job, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    else if (!code)
        code = list_cells(options, &job);
    cells_release(&job.cells);
    return command_session_close(command_name, job.session, code);
}

/** What a format says of itself, where it is not what a matrix of it takes. */
static void print_bits(const struct plugin *plugin)
{
    for (const struct format *const *format = plugin->formats; *format; format++) {
        double taken = format_taken_bits(*format);
        if (fabs(taken / (*format)->bits - 1) > BITS_DIFFER)
            printf("format %s states %g bits a weight, but takes %g\n", (*format)->name, (*format)->bits, taken);
    }
}

static void print_plugins(const struct options *options)
{
    for (unsigned i = 0; i < options->inventory.plugins.count; i++) {
        const struct plugin *plugin = &options->inventory.plugins.plugin[i];
        const char *version = plugin->description->version;
        char shown[128], path[1024];
        printf("%splug-in %s%s%s: %s, hash %s\n", i ? "" : "\n", plugin->description->name, version ? " " : "",
               text_escape(version ? version : "", shown, sizeof shown), text_escape(plugin->path, path, sizeof path),
               plugin->file.hash);
        print_bits(plugin);
    }
}

/** Plug-ins are read, and not checked: nothing runs. @param list  NULL: what lists there are */
static int list_with_plugins(struct options *options, const struct inventory_list *list)
{
    char why[PLUGIN_WHY + 64];
    struct inventory *inventory = &options->inventory;
    int code = EXIT_DONE;
    if (plugins_add(&inventory->plugins, &options->wanted, inventory->features, why, sizeof why) ||
        name_filter_check(&inventory->filter, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    if (!code) {
        command_session_report_said(command_name, &inventory->plugins.said);
        code = list ? print_list(options, list) : print_counts(options);
    }
    if (!code && !options->json)
        print_plugins(options);
    plugins_close(&inventory->plugins);
    return code;
}

/* ---- the command line ---- */

static const struct table *const tables[] = {&inventory_sequence_table,
                                             &inventory_kernel_table,
                                             &inventory_shape_table,
                                             &inventory_platform_table,
                                             &inventory_figure_table,
                                             &inventory_device_kernel_table,
                                             &plan_table,
                                             &certificate_table,
                                             NULL};

static const struct inventory_list *list_named(const char *name)
{
    for (size_t i = 0; name && i < INVENTORY_LISTS; i++) {
        if (strcmp(name, inventory_lists[i].name) == 0)
            return &inventory_lists[i];
    }
    return NULL;
}

/** A name that is no list; "kernel" is near to one that is. */
static int refuse_list(const char *what)
{
    struct nearest_name nearest = nearest_name_begin(what);
    char hint[NEAREST_NAME_MOST + 32], names[256] = "";
    for (size_t i = 0; i < INVENTORY_LISTS; i++) {
        nearest_name_consider(&nearest, inventory_lists[i].name, strlen(inventory_lists[i].name));
        words_add(names, sizeof names, "%s", inventory_lists[i].name);
    }
    return complain(EXIT_USAGE, command_name, "there is no list of '%s'; choose from %s, plan%s", what, names,
                    nearest_name_hint(&nearest, hint, sizeof hint));
}

/** Options that are not of the list that is asked for. @return exit code */
static int check(const struct options *options, const struct inventory_list *list, bool of_plan)
{
    char text[256];
    for (int i = 0; i < options->count; i++) {
        if (list_named(options->names[i]))
            return complain(EXIT_USAGE, command_name, "one list at a time; '%s' is a second", options->names[i]);
    }
    if (options->certificate && (!list || strcmp(list->name, "kernels") != 0))
        return complain(EXIT_USAGE, command_name, "--certificate needs kernels: kneepoint list kernels --certificate");
    if (options->inventory.run && (!list || strcmp(list->name, "figures") != 0))
        return complain(EXIT_USAGE, command_name, "--run needs figures: kneepoint list figures --run=%s",
                        options->inventory.run);
    if (!of_plan && (options->plan.budget || options->plan.purpose || options->plan.size))
        return complain(EXIT_USAGE, command_name, "--%s goes with `list plan` only",
                        options->plan.budget ? "budget"
                        : options->plan.size ? "size"
                                             : "for");
    if (name_filter_is_set(&options->inventory.filter) && (!list || !list->run))
        return complain(EXIT_USAGE, command_name, "%s: chooses kernels and sequences only",
                        name_filter_text(&options->inventory.filter, text, sizeof text));
    const struct table *table = options->certificate ? &certificate_table
                                : list               ? list->table
                                : of_plan            ? &plan_table
                                                     : NULL;
    if (options->view.sort && table && !table_column_find(table, options->view.sort))
        return complain(EXIT_USAGE, command_name, "--sort: the table of %s has no column '%s'",
                        options->certificate ? "certificates" : options->what, options->view.sort);
    if (of_plan && options->count)
        return complain(EXIT_USAGE, command_name, "`list plan` takes no names, but was given '%s'", options->names[0]);
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&plugins_argp, 0, NULL, 0},
                                                 {&plan_argp, 0, NULL, 0},
                                                 {&names_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "sequences|kernels|shapes|platforms|figures|plan [NAME...]",
        .doc =
            "Lists what there is, and what can run here or why it cannot; plan lists what `kneepoint characterize` "
            "with the same --budget would measure here, and what it would leave out. NAME is a whole name, its "
            "beginning, such as int1, or a shell pattern, such as '*.avx2'. Without an argument it counts each kind.",
        .children = children,
    };
    static struct options options = {.wanted.unchecked = true, .view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    bool of_plan = options.what && strcmp(options.what, "plan") == 0;
    const struct inventory_list *list = list_named(options.what);
    if (options.what && !list && !of_plan)
        return refuse_list(options.what);
    code = check(&options, list, of_plan);
    if (code)
        return code;
    if (cpuid_dump_host(&options.inventory.dump))
        return complain(EXIT_USAGE, command_name, "this architecture is not supported: no CPUID");
    options.inventory.features = isa_features_of(&options.inventory.dump);
    return of_plan ? list_plan(&options)
                   : list_with_plugins(&options, list); /* the session of a plan has the plug-ins */
}

const struct command command_list = {
    .name = command_name,
    .summary = "sequences, kernels, shapes, platforms and figures: what there is and what runs here",
    .run = run,
    .tables = tables,
};
