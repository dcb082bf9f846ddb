/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/predict/gpu.h"

#include <math.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "results/records/record.h"

static void print_roofs(const struct described_platform *platform)
{
    double roof = described_roof_bytes_per_s(platform), read = platform->read_bytes_per_s;
    bool stated_by_data_sheet = roof == platform->peak_bytes_per_s;
    char line[512], attained[64] = "", launch[64] = "launch not stated, counted as 0";
    if (stated_by_data_sheet && !isnan(read))
        snprintf(attained, sizeof attained, ", %s%.1f read", described_limit_words(platform->read_limit), read / 1e9);
    if (!isnan(platform->launch_s))
        snprintf(launch, sizeof launch, "launch %.1f us", 1e6 * platform->launch_s);
    snprintf(line, sizeof line, "bandwidth %.1f GB/s%s%s; matrix units %s%.0f Tops/s of 8-bit integers; %s", roof / 1e9,
             stated_by_data_sheet ? " by its data sheet" : "", attained, described_limit_words(platform->matrix_limit),
             platform->matrix_ops_per_s / 1e12, launch);
    printf("  ");
    console_print_hanging(2, line);
}

static void print_shape(const struct predict_gpu *predict)
{
    char line[256];
    snprintf(line, sizeof line,
             "%zux%zu, %zu token%s; attained: at the measured read bandwidth, if that is below the data sheet's",
             predict->shape.m, predict->shape.k, predict->tokens, predict->tokens == 1 ? "" : "s");
    printf("  ");
    console_print_hanging(2, line);
}

static void print_heading(const struct predict_gpu *predict)
{
    const struct described_platform *platform = predict->platform;
    printf("%s%s (%s)%s%s%s\n", console_bold(), platform->title, platform->name, console_plain(),
           *platform->source ? ", " : "", platform->source);
    puts("  its matrix units take 2-bit weights as they are, so there is no gamma:");
    printf("  ");
    console_print_hanging(
        2, "T = max(bytes/bandwidth, operations/peak) + launches + pass; bytes of weights, activations and results");
    print_roofs(platform);
    if (predict->shape.m > 0)
        print_shape(predict);
}

static const char *rate_text(double rate, int digits, char *text, size_t size)
{
    snprintf(text, size, "%.*f", digits, rate);
    return isfinite(rate) ? text : "-";
}

static const char *bandwidth_text(const json_t *record, char *text, size_t size)
{
    return rate_text(1e-9 * record_number_or_nan(record, "packed_bytes") / record_number_or_nan(record, "predicted_s"),
                     1, text, size);
}

static const char *operations_text(const json_t *record, char *text, size_t size)
{
    double operations =
        2 * record_number_or_nan(record, "m") * record_number_or_nan(record, "k") * record_number_or_nan(record, "n");
    return rate_text(1e-12 * operations / record_number_or_nan(record, "predicted_s"), 2, text, size);
}

/** Of a product; without one there is nothing to say of its time. */
static const char *note_text(const json_t *record, char *text, size_t size)
{
    bool unknown = json_object_get(record, "m") && json_is_null(json_object_get(record, "predicted_s"));
    snprintf(text, size, "%s", unknown ? "no peak of such weights is stated" : "");
    return text;
}

/** Tokens from which on multiplying takes longer than moving bytes; none: never, of weights whose peak is known. */
static const char *ridge_text(const json_t *record, char *text, size_t size)
{
    enum { BITS_WITHOUT_PEAK = 16 };
    double ridge = record_number_or_nan(record, "ridge_tokens");
    snprintf(text, size, "%.1f", ridge);
    return isfinite(ridge) ? text : record_number_or_nan(record, "bits") < BITS_WITHOUT_PEAK ? "none" : "-";
}

enum { COLUMNS_OF_TIME = 5 };

static const struct table_column columns[] = {
    {"platform", "platform", .left = true}, /* as text there is a table for each, and no such column */
    {"kernel", "kernel", .left = true},
    {"bits", "bits", .rank = 3},
    {"ridge tokens", "ridge_tokens", .text = ridge_text, .rank = 5},
    {"us", "predicted_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {"attained", "predicted_attained_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 4},
    {"GB/s", "packed_bytes", .text = bandwidth_text, .rank = 5},
    {"Tops/s", "n", .text = operations_text, .rank = 6},
    {"binds", "binds", .rank = 2, .left = true, .limit = true},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

const struct table predict_gpu_table = {"gpu_prediction", "Predictions of GPUs", columns, COLUMNS, .note = note_text};
static const struct table of_one_platform = {
    .type = "gpu_prediction", .columns = columns + 1, .count = COLUMNS - 1, .note = note_text};
static const struct table without_shape = {
    .type = "gpu_prediction", .columns = columns + 1, .count = COLUMNS - 1 - COLUMNS_OF_TIME};

int predict_gpu_print(const struct predict_gpu *predict)
{
    json_auto_t *rows = json_array();
    for (size_t i = 0; i < ROOFLINE_GPU_KERNELS; i++) {
        struct gpu_prediction prediction;
        if (predict->kernel && predict->kernel != &roofline_gpu_kernels[i])
            continue;
        gpu_prediction_make(predict->platform, &roofline_gpu_kernels[i], predict->shape, predict->tokens, &prediction);
        json_array_append_new(rows, gpu_prediction_record(&prediction));
    }
    if (!predict->json)
        print_heading(predict);
    return table_print_records("predict", predict->shape.m ? &of_one_platform : &without_shape, rows, predict->json,
                               predict->view);
}
