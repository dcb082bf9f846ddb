/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/list/list_command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "micro/device_kernel.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "micro/shape.h"
#include "platforms/cpu/isa.h"
#include "platforms/described/described_open.h"
#include "reports/draw/figure.h"
#include "results/records/run.h"
#include "results/text/refuse.h"

/* ---- what sequences and kernels have in common ---- */

/** Whether code of this ISA runs here, or why not. */
static void set_runs(json_t *record, const struct inventory *inventory, const char *isa)
{
    const struct isa *row = isa_find(isa);
    char reason[160];
    bool can_run = isa_runs(row, inventory->features);
    isa_missing(row, &inventory->dump, reason, sizeof reason);
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

static json_t *without_memory(char *why, size_t size)
{
    snprintf(why, size, "no memory");
    return NULL;
}

/** "yes", or why not. */
static const char *runs_text(const json_t *record, char *text, size_t size)
{
    const char *reason = json_string_value(json_object_get(record, "reason"));
    snprintf(text, size, "%s", json_is_true(json_object_get(record, "runs")) ? "yes" : reason ? reason : "no");
    return text;
}

/* ---- sequences ---- */

static json_t *sequence_record(const struct inventory *inventory, const struct sequence *sequence)
{
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:i}", "type", "sequence", "name", sequence->name,
                  "format", sequence->format, "sequence", sequence->sequence, "isa", sequence->isa, "origin",
                  sequence->origin, "bytes_per_vector", sequence->bytes_per_vector, "group_uops",
                  (int)sequence_uops(sequence), "group_dots", (int)sequence->group_dots, "least_accumulators",
                  (int)sequence->least_accumulators, "most_accumulators", (int)sequence->variants);
    json_object_set_new(record, "claimed",
                        sequence->claimed_gamma > 0 ? json_real(sequence->claimed_gamma) : json_null());
    set_runs(record, inventory, sequence->isa);
    set_plugin(record, plugins_of_sequence(&inventory->plugins, sequence));
    return record;
}

static json_t *sequences(const struct inventory *inventory, char *why, size_t size)
{
    json_t *records = json_array();
    int error = records ? 0 : -1;
    for (const struct sequence *const *at = sequence_all(); !error && *at; at++) {
        if (name_filter_has_sequence(&inventory->filter, *at))
            error = json_array_append_new(records, sequence_record(inventory, *at));
    }
    return error ? without_memory(why, size) : records;
}

static const struct table_column sequence_columns[] = {
    {"sequence", "name", .left = true},
    {"origin", "origin", .rank = 3, .left = true},
    {"B/vec", "bytes_per_vector", TABLE_NUMBER, .digits = 1, .rank = 2},
    {"uops", "group_uops", .rank = 4},
    {"least", "least_accumulators", .rank = 6},
    {"claimed", "claimed", TABLE_NUMBER, .digits = 2, .rank = 5},
    {"runs here", "runs", .text = runs_text, .clips = 12, .rank = 1, .left = true},
};

const struct table inventory_sequence_table = {"sequence", "Sequences", sequence_columns,
                                               .count = sizeof sequence_columns / sizeof *sequence_columns};

/* ---- kernels ---- */

static const char *takes_name(const struct kernel *kernel)
{
    return kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32";
}

static const char *gives_name(const struct kernel *kernel)
{
    return kernel->gives == KERNEL_GIVES_INT32 ? "int32" : "f32";
}

static json_t *kernel_record(const struct inventory *inventory, const struct kernel *kernel)
{
    const struct format *format = kernel->format;
    bool integer = format_is_integer(format);
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:i, s:s, s:s, s:b, s:f}", "type",
                               "kernel", "name", kernel->name, "format", format->name, "sequence", kernel->sequence,
                               "isa", kernel->isa, "origin", kernel->origin, "bits", format->bits, "rows_per_panel",
                               (int)format->rows_per_panel, "k_per_step", (int)format->k_per_step, "k_multiple",
                               (int)(format->k_multiple ? format->k_multiple : 1), "max_k", (int)format->max_k,
                               "activations", takes_name(kernel), "result", gives_name(kernel), "lossless",
                               kernel->lossless, "error_bound", kernel->error_bound);
    json_object_set_new(record, "gemv", json_boolean(kernel->gemv != NULL));
    json_object_set_new(record, "gemm", json_boolean(kernel->gemm.run != NULL));
    json_object_set_new(record, "unpacks_alone", json_boolean(kernel->gemm.unpacks_alone));
    json_object_set_new(record, "weight_min", integer ? json_integer(format->weight_min) : json_null());
    json_object_set_new(record, "weight_max", integer ? json_integer(format->weight_max) : json_null());
    json_object_set_new(record, "differs", kernel->differs ? json_string(kernel->differs) : json_null());
    json_object_set_new(record, "prefetch_beside", json_integer((json_int_t)kernel->prefetch_beside));
    set_runs(record, inventory, kernel->isa);
    set_plugin(record, plugins_of_kernel(&inventory->plugins, kernel));
    return record;
}

static json_t *kernels(const struct inventory *inventory, char *why, size_t size)
{
    json_t *records = json_array();
    int error = records ? 0 : -1;
    for (const struct kernel *const *at = kernel_all(); !error && *at; at++) {
        if (name_filter_has_kernel(&inventory->filter, *at))
            error = json_array_append_new(records, kernel_record(inventory, *at));
    }
    return error ? without_memory(why, size) : records;
}

static const char *does_text(const json_t *record, char *text, size_t size)
{
    bool gemv = json_is_true(json_object_get(record, "gemv")), gemm = json_is_true(json_object_get(record, "gemm"));
    snprintf(text, size, "%s", gemv && gemm ? "gemv gemm" : gemm ? "gemm" : "gemv");
    return text;
}

static const struct table_column kernel_columns[] = {
    {"kernel", "name", .left = true},
    {"origin", "origin", .rank = 4, .left = true},
    {"bits", "bits", TABLE_NUMBER, .digits = -1, .rank = 1},
    {"rows", "rows_per_panel", .rank = 6},
    {"columns", "k_per_step", .rank = 7},
    {"largest K", "max_k", .rank = 8},
    {"takes", "activations", .rank = 5, .left = true},
    {"lossless", "lossless", .rank = 5, .left = true},
    {"does", "does", .text = does_text, .rank = 3, .left = true},
    {"runs here", "runs", .text = runs_text, .clips = 12, .rank = 2, .left = true},
};

const struct table inventory_kernel_table = {"kernel", "Kernels", kernel_columns,
                                             .count = sizeof kernel_columns / sizeof *kernel_columns};

/* ---- shapes ---- */

static json_t *shapes(const struct inventory *inventory, char *why, size_t size)
{
    struct shape all[SHAPES_MAX];
    size_t count = shapes_all(all, SHAPES_MAX);
    json_t *records = json_array();
    int error = records ? 0 : -1;
    (void)inventory;
    for (size_t i = 0; i < count && !error; i++) {
        const struct shape *shape = &all[i];
        error = json_array_append_new(records, json_pack("{s:s, s:s, s:s, s:I, s:I, s:i, s:s}", "type", "shape", "name",
                                                         shape->model, "roles", shape->roles, "m", (json_int_t)shape->m,
                                                         "k", (json_int_t)shape->k, "count", (int)shape->count,
                                                         "timed_by", shape->timed_by));
    }
    return error ? without_memory(why, size) : records;
}

static const struct table_column shape_columns[] = {
    {"model", "name", .left = true},
    {"roles", "roles", .rank = 1, .left = true},
    {"M", .field = "m"},
    {"K", .field = "k"},
    {"per token", .field = "count"},
    {"timed by", "timed_by", .clips = 12, .rank = 2, .left = true},
};

const struct table inventory_shape_table = {"shape", "Shapes", shape_columns,
                                            .count = sizeof shape_columns / sizeof *shape_columns};

/* ---- described machines ---- */

static void set_bandwidth(json_t *record, const char *name, double bytes_per_s, enum described_limit limit)
{
    char field[64];
    snprintf(field, sizeof field, "%s_bytes_per_s", name);
    json_object_set_new(record, field, isnan(bytes_per_s) ? json_null() : json_real(bytes_per_s));
    snprintf(field, sizeof field, "%s_limit", name);
    json_object_set_new(record, field, isnan(bytes_per_s) ? json_null() : json_string(described_limit_words(limit)));
}

static json_t *platforms(const struct inventory *inventory, char *why, size_t size)
{
    json_t *records = json_array();
    int error = records ? 0 : -1;
    char name[64];
    (void)inventory;
    for (size_t i = 0; !error && described_known_name(i, name, sizeof name); i++) {
        struct described_platform platform;
        if (described_find(name, &platform, why, size)) {
            json_decref(records);
            return NULL;
        }
        const char *lacks = described_is_gpu(&platform) ? NULL : described_lacks(&platform);
        json_t *record = json_pack("{s:s, s:s, s:s, s:b}", "type", "platform", "name", platform.name, "title",
                                   platform.title, "predictable", !lacks);
        json_object_set_new(record, "reason", lacks ? json_string(lacks) : json_null());
        set_bandwidth(record, "read", platform.read_bytes_per_s, platform.read_limit);
        set_bandwidth(record, "peak", platform.peak_bytes_per_s, platform.peak_limit);
        error = json_array_append_new(records, record);
        described_free(&platform);
    }
    return error ? without_memory(why, size) : records;
}

/** "", or "at least 44.0" GB/s of a bandwidth that may not be stated. */
static const char *bandwidth_text(const json_t *bytes_per_s, const json_t *limit, char *text, size_t size)
{
    text[0] = 0;
    if (json_is_number(bytes_per_s))
        snprintf(text, size, "%s%.1f", json_string_value(limit), 1e-9 * json_number_value(bytes_per_s));
    return text;
}

static const char *read_text(const json_t *record, char *text, size_t size)
{
    return bandwidth_text(json_object_get(record, "read_bytes_per_s"), json_object_get(record, "read_limit"), text,
                          size);
}

static const char *peak_text(const json_t *record, char *text, size_t size)
{
    return bandwidth_text(json_object_get(record, "peak_bytes_per_s"), json_object_get(record, "peak_limit"), text,
                          size);
}

static const char *predict_text(const json_t *record, char *text, size_t size)
{
    const char *lacks = json_string_value(json_object_get(record, "reason"));
    snprintf(text, size, "%s", lacks ? lacks : "yes");
    return text;
}

static const struct table_column platform_columns[] = {
    {"platform", "name", .left = true},
    {"title", "title", .clips = 24, .rank = 1, .left = true},
    {"read GB/s", "read_bytes_per_s", .text = read_text, .rank = 3},
    {"peak GB/s", "peak_bytes_per_s", .text = peak_text, .rank = 4},
    {"predict", "predictable", .text = predict_text, .clips = 16, .rank = 2, .left = true},
};

const struct table inventory_platform_table = {"platform", "Described machines", platform_columns,
                                               .count = sizeof platform_columns / sizeof *platform_columns};

/* ---- figures ---- */

/** What it is made of: what a run measured, machines that are described, and numbers that a paper states. */
static json_t *figure_record(const struct figure *figure)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:s?, s:s?}", "type", "figure", "name", figure->name, "title", figure->title,
                     "measured", !figure->platforms_alone, "modelled",
                     figure->platforms && *figure->platforms ? figure->platforms : NULL, "stated", figure->paper);
}

/** Whether a run has what each of them draws. @return 0, or an error with one line in why */
static int try_figures(const char *path, const struct figure **all, json_t *records, char *why, size_t size)
{
    struct run_records run;
    struct view view;
    char lacks[1024];
    size_t i;
    json_t *record;
    int error = run_read(path, &run, why, size);
    if (error)
        return error;
    error = view_open(path, &run, &view);
    if (error) {
        run_records_free(&run);
        return refuse(error, why, size, "not enough memory to read %s", path);
    }
    json_array_foreach(records, i, record)
    {
        const bool drawn = figure_try(all[i], &view, lacks, sizeof lacks) == 0;
        json_object_set_new(record, "drawn", json_boolean(drawn));
        json_object_set_new(record, "reason", drawn ? json_null() : json_string(lacks));
    }
    view_close(&view);
    run_records_free(&run);
    return 0;
}

static json_t *figures(const struct inventory *inventory, char *why, size_t size)
{
    const struct figure *all[FIGURES_MAX];
    size_t count = figure_list(all, FIGURES_MAX);
    json_t *records = json_array();
    int error = records ? 0 : -1;
    for (size_t i = 0; i < count && !error; i++)
        error = json_array_append_new(records, figure_record(all[i]));
    if (error)
        return without_memory(why, size);
    if (!inventory->run || try_figures(inventory->run, all, records, why, size) == 0)
        return records;
    json_decref(records);
    return NULL;
}

static const char *measured_text(const json_t *record, char *text, size_t size)
{
    const json_t *drawn = json_object_get(record, "drawn");
    snprintf(text, size, "%s",
             !json_is_true(json_object_get(record, "measured")) ? "no"
             : !drawn || json_is_true(drawn)                    ? "yes"
                                                                : "lacking");
    return text;
}

/** Why the run that is asked about does not draw it. */
static const char *lacks_text(const json_t *record, char *text, size_t size)
{
    const char *reason = json_string_value(json_object_get(record, "reason"));
    snprintf(text, size, "%s", reason ? reason : "");
    return text;
}

static const struct table_column figure_columns[] = {
    {"figure", "name", .left = true},
    {"measured", "measured", .text = measured_text, .rank = 2, .left = true},
    {"modelled", "modelled", .rank = 4, .left = true},
    {"stated", "stated", .rank = 3, .left = true},
    {"title", "title", .clips = 24, .rank = 1, .left = true},
};

const struct table inventory_figure_table = {
    "figure", "Figures", figure_columns, .count = sizeof figure_columns / sizeof *figure_columns, .note = lacks_text};

/* ---- kernels of devices ---- */

static json_t *device_kernel_records(const struct inventory *inventory, char *why, size_t size)
{
    json_t *records = json_array();
    int error = records ? 0 : -1;
    (void)inventory;
    for (const struct device_kernel *at = device_kernels; at->name && !error; at++) {
        const struct kernel definition = device_kernel_definition(at);
        error = json_array_append_new(
            records, json_pack("{s:s, s:s, s:s, s:f, s:s, s:s}", "type", "device_kernel", "name", at->name, "format",
                               definition.format->name, "bits", definition.format->bits, "gives",
                               definition.gives == KERNEL_GIVES_INT32 ? "int32" : "f32", "source", at->source));
    }
    return error ? without_memory(why, size) : records;
}

static const struct table_column device_kernel_columns[] = {
    {"kernel", "name", .left = true},
    {"format", "format", .rank = 2, .left = true},
    {"bits", "bits", TABLE_NUMBER, .digits = -1, .rank = 1},
    {"gives", "gives", .rank = 3, .left = true},
    {"source", "source", .rank = 4, .left = true},
};

const struct table inventory_device_kernel_table = {.type = "device_kernel",
                                                    .title = "Kernels of OpenCL devices",
                                                    .columns = device_kernel_columns,
                                                    .count =
                                                        sizeof device_kernel_columns / sizeof *device_kernel_columns};

/* ---- all lists ---- */

const struct inventory_list inventory_lists[INVENTORY_LISTS] = {
    {"sequences", "instructions that up-convert and multiply, timed by `kneepoint gamma`", &inventory_sequence_table,
     sequences, true},
    {"kernels", "GEMV and GEMM kernels, timed by `kneepoint gemv` and `kneepoint gemm`", &inventory_kernel_table,
     kernels, true},
    {"device-kernels", "kernels of OpenCL devices, timed by `gemv` and `gemm --device`", &inventory_device_kernel_table,
     device_kernel_records, false},
    {"shapes", "weight matrices of models, for --model and --shape", &inventory_shape_table, shapes, false},
    {"platforms", "described machines, for `kneepoint predict --platform`", &inventory_platform_table, platforms,
     false},
    {"figures", "drawings of a run, for `kneepoint figure`", &inventory_figure_table, figures, false},
};
