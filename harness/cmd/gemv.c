/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/gemv.h"
#include "harness/cells/gemv_model.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/schedule_options.h"
#include "harness/cmd/console/sharing.h"
#include "harness/cmd/product_command/product_command.h"
#include "harness/command.h"
#include "harness/plan/gemv_job.h"
#include "results/record.h"

static const char command_name[] = "gemv";

static void print_header(void)
{
    printf("%-*s %12s %5s %3s %-5s %-7s %10s %8s %6s %7s %6s %6s %9s %6s %9s %6s %-10s %6s %6s %s\n",
           PRODUCT_NAME_SHOWN, "kernel", "shape", "bits", "thr", "proto", "level", "time us", "GB/s", "roof", "op/c",
           "gamma", "omega", "max us", "resid", "model us", "resid", "binds", "prep", "deq", "error");
}

/** Of the time of the product, in percent; "-" where there is no such step or it was not measured. */
static void print_share(const json_t *record, const char *field)
{
    const json_t *share = json_object_get(record, field);
    if (json_is_number(share))
        printf("%5.1f%% ", 100 * json_number_value(share));
    else
        printf("%6s ", "-");
}

/** @return false for a row without a number */
static bool print_row(const json_t *record)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%lldx%lld", (long long)json_integer_value(json_object_get(record, "m")),
             (long long)json_integer_value(json_object_get(record, "k")));
    printf("%-*s %12s %5.2f %3lld %-5s %-7s", PRODUCT_NAME_SHOWN, json_string_value(json_object_get(record, "name")),
           shape, json_number_value(json_object_get(record, "bits")),
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
    /* without a gamma: what reading takes at least */
    bool reads = json_object_get(record, "predicted_read_s") != NULL;
    print_median(record, reads ? "predicted_read_s" : "predicted_s", 1e6, 9, 2);
    product_print_residual(record, "residual");
    print_median(record, "predicted_overlap_s", 1e6, 9, 2);
    product_print_residual(record, "residual_overlap");
    const char *binds = json_string_value(json_object_get(record, "binds"));
    printf(" %-10s ", binds ? binds : reads ? "no gamma" : "-");
    print_share(record, "prepare_share");
    print_share(record, "dequantize_share");
    char error[16];
    snprintf(error, sizeof error, "%.1e", json_number_value(json_object_get(record, "error")));
    printf("%s%s%s%s", json_is_true(json_object_get(record, "exact")) ? "exact" : error,
           json_is_true(json_object_get(record, "one_layer")) ? "  one layer" : "",
           json_is_true(json_object_get(record, "above_roof")) ? "  above the roof: not valid" : "",
           json_is_true(json_object_get(record, "far_below")) ? "  far below its prediction" : "");
    print_sharing(record, "");
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
    puts(
        "\nbits: of a packed weight, scales and padding included. roof: attained over the read roof measured just "
        "before each sample.\nop/c: operations (2 per weight) per core cycle per core. gamma: of the kernel's "
        "sequence. omega: how much of the shorter of\nreading and computing hides behind the longer. max: "
        "max(bytes / beta, gamma x vectors / clock); model: the same with omega,\nbytes at what one core reads alone "
        "and at what the team does; both and the start of a call, from beta of the run, not from\nthe roof beside "
        "the cell. resid: of cells other than the one that omega is taken from. no gamma: there max is what reading takes, "
        "and no\nmore. prep: from f32 activations to the kernel's operand on one core, as a share of the GEMV's time and no "
        "part of it. deq: likewise, of its int32 results to f32 with a scale a row. error:\nlargest distance from the format's definition "
        "over the largest result.");
}

static void print_omega(const json_t *record)
{
    struct summary omega;
    const char *why = json_string_value(json_object_get(record, "omega_reason"));
    printf("omega of %-*s ", PRODUCT_NAME_SHOWN, json_string_value(json_object_get(record, "name")));
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

static int print_all(const struct session *session, const struct cells *cells, bool json)
{
    int code = print_gemv_cells(session, cells, json);
    if (!code)
        code = print_omegas(session, cells, json);
    if (!json)
        product_print_repacking(session, cells);
    if (!json) {
        product_print_renderings(session, cells);
        print_legend();
    }
    return code;
}

struct options {
    struct product_options product;
    struct schedule_options sharing;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &options->product;
    state->child_inputs[1] = &options->sharing;
    return 0;
}

static bool has(const struct kernel *kernel)
{
    return kernel->gemv != NULL;
}

static int run(int argc, char **argv)
{
    static const struct product_command command = {.name = command_name,
                                                   .product = "GEMV",
                                                   .has = has,
                                                   .check = gemv_job_check,
                                                   .measure = gemv_job_measure,
                                                   .print = print_all};
    static const struct argp_child children[] = {{&product_argp, 0, NULL, 0}, {&schedule_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .args_doc = "[KERNEL...]",
        .parser = parse,
        .doc =
            "Run GEMV kernels (y = W a, N = 1) over shapes and teams, checked against the scalar reference first, then "
            "timed, and hold them against the model. KERNEL is a kernel's name or leading parts "
            "of it, such as int2_planes; without one, every kernel that runs here.",
        .children = children,
    };
    struct options options = {0};
    char why[SESSION_WHY];
    int code = parse_options(&argp, argc, argv, &options);
    if (!code && schedule_options_settle(&options.sharing, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    options.product.schedules = options.sharing.schedules;
    if (!code)
        code = product_command_run(&command, &options.product, argc, argv);
    schedule_options_release(&options.sharing);
    return code;
}

const struct command command_gemv = {
    .name = command_name,
    .summary = "low-bit GEMV kernels over shapes and teams, cold and warm, against the model",
    .run = run,
};
