/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/assemble/mca.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/interruption.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/name_options.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/gamma/device.h"
#include "harness/cmd/gamma/unpacking.h"
#include "harness/command/command.h"
#include "harness/plan/protocol.h"
#include "harness/plugin/name_argument.h"
#include "harness/user/sequence_names.h"
#include "harness/user/user_sequences.h"
#include "platforms/clock/clock.h"
#include "results/records/record.h"

static const char command_name[] = "gamma";

struct options {
    struct measuring_options measuring;
    unsigned accumulators;
    bool all;           /* a line for every number of accumulators */
    const char *device; /* NULL: this machine's cores */
    const char *mca;    /* core for llvm-mca, "none"; NULL: this one */
    bool predict;       /* with llvm-mca alone: nothing is measured */
    struct name_filter filter;
    struct run_request run;
    struct table_view view;
    char **names;
    int count;
    struct user_sequences *user; /* sequences that were given as files; NULL if none was */
};

/** Visits that share the samples asked for; samples with agreeing clocks to wait for, and for how long. */
enum { VISITS = 4, SETTLED = BEST_OF_KEPT_LEAST, PATIENCE_S = 20 };

enum { KEY_ALL = 0x100, KEY_MCA, KEY_PREDICT, KEY_DEVICE };

static const struct argp_option option_table[] = {
    {"accumulators", 'a', "N", 0,
     "Only with N independent accumulators, 1 to 12 (default: each number that the registers allow)", 0},
    {"all", KEY_ALL, 0, 0, "A line for every number of accumulators (default: the best of each sequence)", 0},
    {"mca", KEY_MCA, "CPU", 0,
     "Predict with llvm-mca for this core, as LLVM names it, also sequences that cannot run here; 'none': do not "
     "(default: the core measured, if an llvm-mca is installed that knows it)",
     0},
    {"device", KEY_DEVICE, "DEVICE", 0, "Kernels of an OpenCL device instead: opencl:0, or a part of its name", 0},
    {"predict", KEY_PREDICT, 0, 0,
     "Only predict, with --mca=CPU, and measure nothing, for use under an emulator of another architecture", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->measuring.request.plugins;
        state->child_inputs[3] = &options->filter;
        state->child_inputs[4] = &options->run;
        state->child_inputs[5] = &options->view;
        return 0;
    case 'a': options->accumulators = (unsigned)option_number(argument, 1, 12, "--accumulators", state); return 0;
    case KEY_ALL: options->all = true; return 0;
    case KEY_MCA: options->mca = argument; return 0;
    case KEY_DEVICE: options->device = argument; return 0;
    case KEY_PREDICT: options->predict = true; return 0;
    case ARGP_KEY_END:
        if (options->predict && (!options->mca || strcmp(options->mca, "none") == 0))
            argp_error(state, "--predict needs --mca=CPU, the core to predict for");
        return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/** Whether a name means kernels whose unpacking is measured, too; NULL: any does. */
static bool unpacks(const struct session *session, const struct options *options, const char *pattern)
{
    bool is_file = pattern && options->user && user_sequences_find(options->user, pattern);
    return !options->accumulators && !is_file && unpacking_means(session, pattern, &options->filter);
}

static int add_named(struct cells *cells, const struct session *session, const struct options *options,
                     const char *pattern)
{
    const struct sequence *found[SEQUENCE_NAMES_MOST];
    char why[SESSION_WHY];
    int count = sequence_names_find(session, pattern, &options->filter, found, SEQUENCE_NAMES_MOST, why, sizeof why);
    for (int i = 0; i < count; i++) {
        if (gamma_add(cells, found[i], options->accumulators))
            return complain(EXIT_USAGE, command_name, "no memory");
    }
    if (count < 0 && unpacks(session, options, pattern))
        return 0; /* a kernel, and no sequence */
    if (count == -ENOENT && pattern && kernel_find(pattern))
        return complain(
            EXIT_USAGE, command_name,
            "%s is a kernel with nothing to measure here%s; `kneepoint gemv` and `kneepoint gemm` time kernels",
            pattern,
            options->accumulators ? ", with --accumulators"
                                  : ": it does not unpack to scratch, or cannot run on this CPU");
    if (count == -ENOEXEC && options->mca && strcmp(options->mca, "none") != 0)
        return 0; /* predicted, not measured */
    return count < 0 ? complain(exit_code_of(count), command_name, "%s", why) : 0;
}

static int add_argument(struct cells *cells, const struct session *session, const struct options *options,
                        const char *argument)
{
    const struct user_sequence *user = options->user ? user_sequences_find(options->user, argument) : NULL;
    if (!user)
        return add_named(cells, session, options, argument);
    if (gamma_add(cells, user->sequence, options->accumulators))
        return complain(EXIT_USAGE, command_name, "no memory");
    return 0;
}

/** What the record of a user's sequence says beyond that of a built-in one: which file it was. */
static void name_file(const struct options *options, const struct cell *cell, json_t *record)
{
    for (unsigned i = 0; options->user && i < options->user->count; i++) {
        const struct user_sequence *user = &options->user->user[i];
        if (user->sequence == cell->sequence) {
            json_object_set_new(record, "file", json_string(user->path));
            json_object_set_new(record, "file_hash", json_sprintf("%016lx", user->hash));
        }
    }
}

/* ---------------------------------------------------------------- llvm-mca */

struct predictor {
    struct mca mca;
    char why[400]; /* there is none; "" if there is */
};

/** @return 0, or the exit code after complaining about a core that was asked for by name */
static int open_predictor(struct predictor *predictor, const struct session *session, const struct options *options)
{
    predictor->why[0] = '\0';
    int error =
        mca_open_for(&predictor->mca, options->mca, &session->machine.identity, predictor->why, sizeof predictor->why);
    if (error && error != -ECANCELED && options->mca)
        return complain(EXIT_USAGE, command_name, "%s", predictor->why);
    return 0;
}

/** A prediction as a number, or null and the reason. */
static void set_prediction(json_t *record, const struct predictor *predictor, const struct sequence *sequence,
                           const struct sequence_variant *variant)
{
    char why[256];
    double gamma;
    const char *reason = predictor->why;
    if (!reason[0] && mca_gamma(&predictor->mca, sequence, variant, &gamma, why, sizeof why))
        reason = why;
    json_object_set_new(record, "mca_gamma", reason[0] ? json_null() : json_real(gamma));
    if (reason[0]) {
        json_object_set_new(record, "mca_reason", json_string(reason));
        return;
    }
    json_object_set_new(record, "mca_cpu", json_string(predictor->mca.cpu));
    json_object_set_new(record, "mca_llvm", json_integer(predictor->mca.version));
    if (predictor->mca.one_of[0])
        json_object_set_new(record, "mca_one_of", json_string(predictor->mca.one_of));
}

/* ---------------------------------------------------------------- lines */

/** A probe, the best; and of tiles: "16.3 cycles a product, 1004 multiply-adds a cycle". */
static const char *note_text(const json_t *record, char *text, size_t size)
{
    const json_t *cycles = json_object_get(record, "product_cycles");
    char product[96] = "";
    if (json_is_number(cycles))
        snprintf(product, sizeof product, "  %.1f cycles a product, %.0f multiply-adds a cycle",
                 json_number_value(cycles), json_number_value(json_object_get(record, "multiply_adds_per_cycle")));
    snprintf(text, size, "%s%s%s", json_is_true(json_object_get(record, "usable")) ? "" : " probe",
             json_is_true(json_object_get(record, "best")) ? " best" : "", product);
    return text + strspn(text, " ");
}

static bool is_best(const json_t *record)
{
    return json_is_true(json_object_get(record, "best"));
}

static const struct table_column columns[] = {
    {"sequence", "name", .left = true},
    {"acc", .field = "accumulators"},
    {"gamma", "gamma", TABLE_NUMBER, .digits = 3, .rank = 1},
    {"+-", "gamma", TABLE_HALF, .digits = 3, .rank = 4},
    {"grade", "gamma", TABLE_GRADE, .rank = 5, .left = true},
    {"uops/c", "uops_per_cycle", TABLE_NUMBER, .digits = 2, .rank = 6},
    {"bound", "bound", .rank = 2, .left = true, .limit = true},
    {"plateau", "plateau", TABLE_NUMBER, .digits = 3, .rank = 9},
    {"latency", "latency_cycles", TABLE_NUMBER, .digits = 1, .rank = 8},
    {"knee", "knee", TABLE_NUMBER, .digits = 2, .rank = 3},
    {"mca", "mca_gamma", TABLE_NUMBER, .digits = 3, .rank = 7},
    {"claimed", "claimed", TABLE_NUMBER, .digits = 2, .rank = 10},
};

static const struct table gamma_table = {
    "gamma",          "gamma", columns, sizeof columns / sizeof *columns, .needs = "gamma", .stands_out = is_best,
    .note = note_text};

static const struct table *const tables[] = {&gamma_table, &gamma_device_table, NULL};

/** Why gammas are graded wall. */
static void print_disturbed(const struct session *session, size_t disturbed)
{
    const struct clock *clock = &session->instruments.clock_of[0];
    unsigned reconciling = session->instruments.reconciling_cycles_of[0];
    if (reconciling)
        printf("\n%zu of these are graded wall: the two clock chains disagree, and would agree if a multiply took %u "
               "cycles instead of\nthe %u that were calibrated: is this another kind of core than the one "
               "calibrated?\n",
               disturbed, reconciling, clock->multiply_cycles);
    else
        printf("\n%zu of these are graded wall: the two clock chains disagreed by more than 1%%, so something else "
               "runs on the core\n(its other hardware thread?) and gamma is too high. Measure again on a quiet core.\n",
               disturbed);
}

static void print_legend(const struct predictor *predictor)
{
    console_print_text(
        "\ngamma: core cycles per output vector of 32 weights, loads excluded, and half its 95% interval. plateau: "
        "what gamma\nfalls to with more accumulators; latency: cycles of one accumulation; both fitted over the "
        "number of accumulators\n(acc). knee: B / gamma, bytes per cycle. probe: too few accumulators for a kernel, "
        "measured to see the latency.\nclaimed: what the sequence's source states for a performance core.\n");
    if (predictor->why[0])
        printf("mca: none; %s.\n", predictor->why);
    else
        printf("mca: what llvm-mca (LLVM %u) predicts for %s%s%s; not measured.\n", predictor->mca.version,
               predictor->mca.cpu, predictor->mca.one_of[0] ? ", this core being " : "", predictor->mca.one_of);
}

/**
 * Whether a cell is one of those that are printed as text: of many sequences only the best of each, or where none is
 * known to be what is ahead.
 */
static bool is_shown(const struct cells *cells, const struct cell *cell, const struct options *options, bool several)
{
    unsigned best = 0;
    if (options->all || options->accumulators || !several)
        return true;
    if (isfinite(gamma_best_on(cells, cell->sequence->name, cell->member, &best)))
        return gamma_cell(cell)->variant->accumulators == best;
    return gamma_ahead(cells, cell->sequence->name, cell->member) == cell;
}

static bool several_sequences(const struct cells *cells)
{
    const struct sequence *first = NULL;
    for (size_t i = 0; i < cells->count; i++) {
        first = first ? first : cells->cell[i].sequence;
        if (cells->cell[i].sequence && cells->cell[i].sequence != first)
            return true;
    }
    return false;
}

static bool has_sequences(const struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (gamma_cell(&cells->cell[i]))
            return true;
    }
    return false;
}

/** Sequences that were asked for and cannot run here, for a core that was asked for by name: predictions alone. */
static int print_predictions(const struct session *session, const struct options *options,
                             const struct predictor *predictor)
{
    bool first = true;
    size_t asked = 0, predicted = 0;
    const char *reason = NULL;
    char last[400] = "";
    for (const struct sequence *const *at = sequence_all(); options->mca && !predictor->why[0] && *at; at++) {
        const struct sequence *sequence = *at;
        bool wanted = !options->count;
        for (int i = 0; i < options->count; i++)
            wanted = wanted || name_argument_means(options->names[i], sequence->name);
        wanted = wanted && name_filter_has_sequence(&options->filter, sequence);
        if (!wanted || (!options->predict && session_runs(session, sequence->isa)))
            continue;
        asked++;
        const struct sequence_variant *variant = &sequence->variant[sequence->variants - 1];
        json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:i, s:f}", "type", "mca", "name", sequence->name, "isa",
                                   sequence->isa, "format", sequence->format, "accumulators",
                                   (int)variant->accumulators, "bytes_per_vector", sequence->bytes_per_vector);
        set_prediction(record, predictor, sequence, variant);
        reason = json_string_value(json_object_get(record, "mca_reason"));
        predicted += !reason;
        if (reason)
            snprintf(last, sizeof last, "%s: %s", sequence->name, reason);
        if (options->measuring.json) {
            if (print_record(command_name, record))
                return EXIT_USAGE;
            continue;
        }
        if (first)
            printf("%s by llvm-mca (LLVM %u) for %s, not measured:\n",
                   options->predict ? "Predicted" : "\nCannot run on this CPU; predicted", predictor->mca.version,
                   predictor->mca.cpu);
        first = false;
        printf("%-40s %3lu", sequence->name, (unsigned long)variant->accumulators);
        if (reason)
            printf("  %s", reason);
        else
            print_median(record, "mca_gamma", 1, 8, 3);
        putchar('\n');
        json_decref(record);
    }
    if (options->predict && !asked)
        return complain(EXIT_USAGE, command_name, "no built-in sequence has such a name: `kneepoint list sequences`");
    if (options->predict && !predicted)
        return complain(EXIT_USAGE, command_name, "nothing is predicted; %s", last);
    return EXIT_DONE;
}

/** A cell's record, with what is predicted; NULL: it has none. */
static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell,
                         const struct options *options, const struct predictor *predictor)
{
    json_t *record = summary_record(session, cells, cell);
    if (!record)
        return NULL;
    name_file(options, cell, record);
    if (gamma_cell(cell) && (json_is_true(json_object_get(record, "best")) || options->accumulators))
        set_prediction(record, predictor, cell->sequence, gamma_cell(cell)->variant);
    return record;
}

/** Why a file's sequence was left out while it was measured; NULL: it was not. */
static const char *fault_of(const struct cells *cells, const struct user_sequence *user)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->sequence == user->sequence && cell->why[0] && !cell->left_out && !cell->needless)
            return cell->why;
    }
    return NULL;
}

/** Those files that were right when they were checked, and misbehaved when they were measured. @return exit code */
static int print_faulty_files(const struct cells *cells, const struct options *options)
{
    int code = EXIT_DONE;
    const uint64_t seed = options->measuring.request.seed;
    for (unsigned i = 0; options->user && i < options->user->count; i++) {
        const struct user_sequence *user = &options->user->user[i];
        const char *why = fault_of(cells, user);
        if (!why)
            continue;
        code =
            complain(EXIT_CHECK_FAILED, command_name, "%s: %s; it is left out, seed %" PRIu64, user->path, why, seed);
        if (options->measuring.json &&
            print_record(command_name,
                         json_pack("{s:s, s:s, s:s, s:s, s:I}", "type", "withheld", "name", user->sequence->name,
                                   "file", user->path, "reason", why, "seed", (json_int_t)seed)))
            return EXIT_USAGE;
    }
    return code;
}

/** Of a file that is left out nothing is printed. */
static bool is_faulty(const struct cells *cells, const struct cell *cell, const struct options *options)
{
    for (unsigned i = 0; options->user && i < options->user->count; i++) {
        const struct user_sequence *user = &options->user->user[i];
        if (cell->sequence == user->sequence)
            return fault_of(cells, user) != NULL;
    }
    return false;
}

/** What lines and rows are made with. */
struct printing {
    const struct options *options;
    struct predictor predictor;
};

static int print_line(const void *given, const struct session *session, const struct cells *cells,
                      const struct cell *cell)
{
    const struct printing *printing = given;
    json_t *record = is_faulty(cells, cell, printing->options)
                         ? NULL
                         : record_of(session, cells, cell, printing->options, &printing->predictor);
    return record ? print_record(command_name, record) : EXIT_DONE;
}

static int print_tables(const struct session *session, const struct cells *cells, const struct printing *printing)
{
    const struct options *options = printing->options;
    json_auto_t *rows = json_array();
    size_t disturbed = 0;
    int code = EXIT_DONE;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = gamma_cell(cell) && !is_faulty(cells, cell, options) &&
                                 is_shown(cells, cell, options, several_sequences(cells))
                             ? record_of(session, cells, cell, options, &printing->predictor)
                             : NULL;
        if (!record)
            continue;
        const struct graded gamma = gamma_summary(cell);
        disturbed += gamma.summary.n && strcmp(gamma.grade, "wall") == 0;
        json_array_append_new(rows, record);
    }
    if (json_array_size(rows)) {
        code = table_show(command_name, &gamma_table, rows, &options->view);
        print_few_remedy(table_rows_lacking(&gamma_table, rows));
        if (disturbed)
            print_disturbed(session, disturbed);
        print_legend(&printing->predictor);
    }
    return code ? code : unpacking_print(command_name, session, cells, has_sequences(cells), &options->view);
}

/** What is printed after the cells. */
static int print_rest(const struct session *session, const struct cells *cells, const struct printing *printing)
{
    int code = print_predictions(session, printing->options, &printing->predictor);
    return code ? code : print_faulty_files(cells, printing->options);
}

/** Cells of sequences, swept, followed by those of unpacking. @return exit code */
static int measure_cells(const struct options *options, struct session *session, struct cells *cells, size_t sequences,
                         struct watched *watched)
{
    enum { UNPACKING_SAMPLES = 24 };
    unsigned asked = options->measuring.samples;
    const struct effort swept = protocol_effort(asked, VISITS, SETTLED, PATIENCE_S),
                        unpacking = protocol_effort(asked ? asked : UNPACKING_SAMPLES, VISITS, SETTLED, PATIENCE_S);
    double of_sequences = (double)sequences / (double)cells->count;
    char why[SESSION_WHY];
    size_t failed = 0;
    const struct execution execution = watched_begin(watched);
    watched->part.end_fraction = of_sequences;
    int error = protocol_measure(session, cells, 0, sequences, &swept, &execution, &failed);
    watched->part.begin_fraction = of_sequences;
    watched->part.end_fraction = 1;
    if (!error)
        error = execution_final(&execution, cells, sequences);
    if (!error)
        error = protocol_measure(session, cells, sequences, cells->count, &unpacking, &execution, &failed);
    protocol_why(cells, failed, error, why, sizeof why);
    return watched_end(watched, cells, error, why);
}

static int add_all(const struct options *options, struct session *session, struct cells *cells, size_t *sequences)
{
    int code = 0, count = options->count ? options->count : 1;
    for (int i = 0; !code && i < count; i++)
        code = options->count ? add_argument(cells, session, options, options->names[i])
                              : add_named(cells, session, options, NULL);
    *sequences = cells->count;
    for (int i = 0; !code && i < count; i++) {
        const char *name = options->count ? options->names[i] : NULL;
        if (unpacks(session, options, name) && unpacking_add(cells, session, name, &options->filter))
            code = complain(EXIT_USAGE, command_name, "no memory");
    }
    return code;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct options *options = given;
    size_t sequences = 0;
    char why[SESSION_WHY];
    if (name_filter_check(&options->filter, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    int code = options->predict ? 0 : add_all(options, session, cells, &sequences);
    struct printing printing = {.options = options};
    if (!code && (cells->count || options->mca))
        code = open_predictor(&printing.predictor, session, options);
    if (code)
        return code;
    if (!cells->count && options->mca)
        return print_rest(session, cells, &printing);
    if (!cells->count)
        return complain(EXIT_USAGE, command_name,
                        "no sequence given has %u accumulators; `kneepoint gamma` without "
                        "--accumulators measures as many as the registers allow",
                        options->accumulators);
    struct watched watched = {
        .command = command_name, .json = options->measuring.json, .line = print_line, .given = &printing};
    code = watched_open(&watched, &options->run, session);
    if (code)
        return code;
    code = measure_cells(options, session, cells, sequences, &watched);
    if (!code)
        code = watched.json ? watched_lines(&watched, cells, cells->count) : print_tables(session, cells, &printing);
    if (!code)
        code = print_rest(session, cells, &printing);
    if (!code && !watched.interrupted)
        code = warn_where_no_samples(command_name, cells, &cell_kind_gamma);
    return watched_close(&watched, session, cells, code);
}

/** Checked here, loaded, and measured like those of plug-ins; their folder is gone before anything is measured. */
static int measure_files(struct options *options)
{
    static struct user_sequences user; /* large */
    char why[USER_SEQUENCE_WHY];
    options->user = &user;
    uint64_t *seed = &options->measuring.request.seed;
    *seed = *seed ? *seed : seed_from_clock();
    interruption_catch(command_name);
    const volatile int *stop = interruption_watch(); /* since the folder must go */
    int error = user_sequences_open(&user, options->names, options->count, *seed, stop, why, sizeof why);
    if (!error)
        error = user_sequences_load(&user, why, sizeof why);
    user_sequences_close(&user);
    if (*stop)
        return complain(EXIT_INTERRUPTED, command_name, "interrupted before anything was measured");
    if (error)
        return complain(exit_code_of(error), command_name, "%s", why);
    return command_session_run(command_name, &options->measuring.request, measure, options);
}

static int measure_device(const struct options *options)
{
    const char *wrong = options->accumulators ? "--accumulators"
                        : options->all        ? "--all"
                        : options->mca        ? "--mca"
                                              : NULL;
    const struct device_kernel_names names = {options->names, options->count, &options->filter};
    return gamma_device_run(command_name, &(struct gamma_device_request){options->device, &options->measuring,
                                                                         &options->run, &options->view, &names, wrong});
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                                 {&samples_argp, 0, NULL, 0},
                                                 {&plugins_argp, 0, NULL, 0},
                                                 {&names_argp, 0, NULL, 0},
                                                 {&saving_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[NAME|FILE.S...]",
        .doc =
            "Measure gamma: core cycles to up-convert and multiply one output vector of 32 weights, loads excluded, "
            "for built-in sequences and your own; and gamma_up, cycles to unpack one for many tokens, for GEMM kernels that "
            "unpack to scratch. NAME is a sequence or such a kernel, the beginning of one, such as "
            "int2_vnni4 or int1, or a shell pattern, such as '*.avx2'; FILE.S is a sequence in assembly, which is assembled with the system's "
            "compiler (CC), checked against its scalar result and measured in child processes. Without an argument, "
            "every built-in sequence and such kernel that runs here.",
        .children = children,
    };
    struct options options = {.measuring.request.team.threads = 1, .view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code || options.device)
        return code ? code : measure_device(&options);
    for (int i = 0; i < options.count; i++) {
        if (!user_sequences_is_file(options.names[i]))
            continue;
        return options.predict ? complain(EXIT_USAGE, command_name, "--predict takes built-in sequences, not '%s'",
                                          options.names[i])
                               : measure_files(&options);
    }
    return command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_gamma = {
    .name = command_name,
    .summary = "core cycles to up-convert and multiply one output vector, per sequence",
    .run = run,
    .tables = tables,
};
