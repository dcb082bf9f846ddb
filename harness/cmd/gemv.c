/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <stdio.h>

#include "harness/cells/gemv/gemv_model.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command/command.h"
#include "results/records/record.h"

static const char command_name[] = "gemv";

static const struct table gemv_table = {
    "gemv", "GEMV", product_columns, PRODUCT_COLUMNS, .needs = "time_s", .note = product_note_text};

static const char *omega_note_text(const json_t *record, char *text, size_t size)
{
    struct summary omega;
    const char *why = json_string_value(json_object_get(record, "omega_reason"));
    if (record_quantity_read(record, "omega", &omega))
        snprintf(text, size, "unknown: %s", why ? why : "too few samples were kept");
    else
        snprintf(text, size, "%s",
                 omega.ci95[1] < 0   ? "slower than reading and then computing: neither beta nor gamma is the limit "
                                       "(try prefetch, huge pages, `kneepoint terms`)"
                 : omega.ci95[0] > 1 ? "faster than reading or computing alone: gamma or beta does not describe this "
                                       "kernel"
                                     : "");
    return text;
}

static const struct table_column omega_columns[] = {
    {"kernel", "name", .left = true},
    {"omega", "omega", TABLE_NUMBER, .digits = 3,
     .explains = "how much of the shorter of reading and computing overlaps the longer: 1 all of it, 0 nothing"},
    {"from", "omega", TABLE_LOW, .digits = 3, .rank = 1, .explains = "where its 95% interval begins"},
    {"to", "omega", TABLE_HIGH, .digits = 3, .rank = 1, .explains = "where its 95% interval ends"},
    {"n", "omega", TABLE_KEPT, .rank = 2, .explains = "samples kept"},
    {"grade", "omega", TABLE_GRADE, .rank = 3, .left = true,
     .explains = "where core cycles come from: pmu, counted; chain, timed by dependent instructions; wall, not known"},
};

static const struct table omega_table = {"omega", "omega", omega_columns, sizeof omega_columns / sizeof *omega_columns,
                                         .note = omega_note_text};

static const struct table *const tables[] = {
    &gemv_table, &omega_table, &product_peers_table, &product_repacking_table, &product_device_table, NULL};

static bool has(const struct kernel *kernel)
{
    return kernel->gemv != NULL;
}

static_assert(GEMV_CALIBRATION_SIDE == 4096, "the title of the table of omega says so");

static int run(int argc, char **argv)
{
    static const struct product_command command = {
        .name = command_name,
        .product = "GEMV",
        .has = has,
        .table = &gemv_table,
        .derived = &omega_table,
        .derived_title = "omega, from 4096x4096 cold with one thread:",
        .tables = tables,
    };
    static const struct argp_option options[] = {
        {"reads", PRODUCT_OPTION_READS, NULL, 0,
         "With each cold GEMV, also time a plain read of as many bytes by the roof's stream", 0},
        {"device", PRODUCT_OPTION_DEVICE, "DEVICE", 0,
         "Run kernels of an OpenCL device instead: opencl:0, or a part of its name as `info` lists it", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .args_doc = "[KERNEL...]",
        .parser = product_parse_own,
        .doc =
            "Run GEMV kernels (y = W a, N = 1) over shapes and teams, checked against the scalar reference first, then "
            "timed, and hold them against the model. KERNEL is a kernel's name, the "
            "beginning of some, such as int2_planes or int1, or a shell pattern, such as '*.avx2'; without one, every kernel that runs here.",
        .children = product_children,
    };
    return product_command_run(&command, &argp, argc, argv);
}

const struct command command_gemv = {
    .name = command_name,
    .summary = "low-bit GEMV kernels over shapes and teams, cold and warm, against the model",
    .run = run,
    .tables = tables,
};
