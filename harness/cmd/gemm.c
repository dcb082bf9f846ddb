/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "harness/cmd/product/product_command.h"
#include "harness/command/command.h"
#include "results/records/record.h"

static const char command_name[] = "gemm";

static const struct table gemm_table = {
    "gemm", "GEMM", product_columns, PRODUCT_COLUMNS, .needs = "time_s", .note = product_note_text};

/* ---- the model of each sweep ---- */

static double end_of(const json_t *record, const char *field, size_t end)
{
    const json_t *value = json_array_get(json_object_get(record, field), end);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/** Numbers of tokens; what is below the first token says no more than that. */
static const char *tokens_text(double tokens, char *text, size_t size)
{
    snprintf(text, size, "%.1f", tokens);
    return tokens < 1 ? "<1" : isfinite(tokens) ? text : "-";
}

static const char *knee_text(const json_t *record, char *text, size_t size)
{
    return tokens_text(record_number_or_nan(record, "n_star"), text, size);
}

static const char *knee_from_text(const json_t *record, char *text, size_t size)
{
    return tokens_text(end_of(record, "n_star_range", 0), text, size);
}

static const char *knee_to_text(const json_t *record, char *text, size_t size)
{
    return tokens_text(end_of(record, "n_star_range", 1), text, size);
}

/** Largest |residual| of what was held out, in percent. */
static const char *held_out_text(const json_t *record, char *text, size_t size)
{
    const json_t *residuals = json_object_get(record, "residuals");
    double most = 0;
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(residuals); i++) {
        const json_t *one = json_array_get(residuals, i), *with = json_object_get(one, "residual_overlap"),
                     *value = json_is_number(with) ? with : json_object_get(one, "residual");
        if (!json_is_number(value))
            continue;
        most = fmax(most, fabs(json_number_value(value)));
        count++;
    }
    snprintf(text, size, "%.1f%%", 100 * most);
    return count ? text : "-";
}

static const char *not_known_text(const json_t *record, char *text, size_t size)
{
    const json_t *why = json_object_get(record, "gamma_dot_reason");
    snprintf(text, size, "%s%s", json_is_string(why) ? "unknown: " : "",
             json_is_string(why) ? json_string_value(why) : "");
    return text;
}

static const char of_one_less[] = "when any one point is left out, and with what of reading may not overlap";

static const struct table_column model_columns[] = {
    {"kernel", "name", .left = true},
    {"shape", "m", .text = product_shape_text},
    {"thr", .field = "threads"},
    {"gamma_dot", "gamma_dot", TABLE_NUMBER, .digits = 3, .rank = 1,
     .explains = "core cycles per token and output vector of 32 weights"},
    {"dot from", "gamma_dot_range", TABLE_LOW, .digits = 3, .rank = 5, .explains = of_one_less},
    {"dot to", "gamma_dot_range", TABLE_HIGH, .digits = 3, .rank = 5},
    {"mult", "multiply_gamma", TABLE_NUMBER, .digits = 3, .rank = 6,
     .explains = "gamma_dot of the multiplications alone"},
    {"gamma_up", "gamma_up", TABLE_NUMBER, .digits = 2, .rank = 3,
     .explains = "core cycles per output vector that all tokens share"},
    {"up from", "gamma_up_range", TABLE_LOW, .digits = 2, .rank = 8, .explains = of_one_less},
    {"up to", "gamma_up_range", TABLE_HIGH, .digits = 2, .rank = 8},
    {"alone", "unpack_gamma", TABLE_NUMBER, .digits = 3, .rank = 9,
     .explains = "what unpacking to scratch takes by itself"},
    {"N*", "n_star", .text = knee_text, .rank = 2,
     .explains = "tokens above which computing binds; <1: always; a dash: it cannot be told"},
    {"N* from", "n_star_range", .text = knee_from_text, .rank = 7, .explains = of_one_less},
    {"N* to", "n_star_range", .text = knee_to_text, .rank = 7},
    {"worst", "residuals", .text = held_out_text, .rank = 4,
     .explains = "largest residual of the cells that the terms are not fitted to"},
};

static const struct table model_table = {"gemm_model", "Models of sweeps", model_columns,
                                         sizeof model_columns / sizeof *model_columns, .note = not_known_text};

static const struct table *const tables[] = {
    &gemm_table, &model_table, &product_peers_table, &product_repacking_table, &product_device_gemm_table, NULL};

/* ---- the command ---- */

static bool has(const struct kernel *kernel)
{
    return kernel->gemm.run != NULL;
}

static int run(int argc, char **argv)
{
    static const struct product_command command = {
        .name = command_name,
        .product = "GEMM",
        .sweeps = true,
        .has = has,
        .table = &gemm_table,
        .derived = &model_table,
        .derived_title = "The terms of each sweep:",
        .tables = tables,
    };
    static const struct argp_option options[] = {
        {"tokens", PRODUCT_OPTION_TOKENS, "N,N,...", 0,
         "Numbers of activation vectors that are multiplied at once (default: 1,2,4,8,16,32,64,128,512,1024; on a device 64)",
         0},
        {"device", PRODUCT_OPTION_DEVICE, "DEVICE", 0,
         "GEMMs of an OpenCL device instead, such as opencl:0 or a part of a name that `info` shows", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = product_parse_own,
        .args_doc = "[KERNEL...]",
        .doc =
            "Run GEMM kernels, a packed matrix times N activation vectors at once, over numbers of tokens, shapes and "
            "teams, checked against the scalar reference first, then timed. What an output vector takes is split into "
            "what each token costs (gamma_dot) and what all share (gamma_up), and held against the roofs of memory, "
            "up-converting and multiplying. KERNEL is a kernel's name, the beginning of some, such as int2_vnni4, or a "
            "shell pattern, such as '*.avx2'; without one, every GEMM kernel that runs here.",
        .children = product_children,
    };
    return product_command_run(&command, &argp, argc, argv);
}

const struct command command_gemm = {
    .name = command_name,
    .summary = "low-bit GEMM kernels over numbers of tokens, cold and warm, against their roofs",
    .run = run,
    .tables = tables,
};
