/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device/device_product.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/device/cold_bytes.h"
#include "harness/cells/device/device_cell.h"
#include "harness/team/product.h"
#include "results/text/refuse.h"
#include "results/text/words.h"

/** Results before and after those of a launch, which must stay; bytes after a copy of the matrix and after the activations. */
enum { GUARD = 16, GUARD_BYTES = 64, COPY_ALIGNED = 256, RESULT_BYTES = 4 };
/** What guards hold: of weights the largest codes, of floats no number. */
enum { GUARD_BYTE = 0xff };

/** Weights up to which every row is compared; rows of others. */
enum { ALL_WEIGHTS = 1 << 20, SOME_PANELS = 96 };

/* ---- variants ---- */

/** Of OpenCL C: what a vector has, an activation, a sum and a result. */
struct types {
    const char *real, *activation, *result, *out;
};

static const struct types *types_of(const struct device_kernel *kernel)
{
    static const struct types integers = {"uint", "char", "int", "int"}, floats = {"float", "float", "float", "float"},
                              planes = {"ulong", "ulong", "int", "float"};
    return device_kernel_macro(kernel, "ACTIVATION_BITS", 0) ? &planes
           : format_is_integer(device_kernel_format(kernel)) ? &integers
                                                             : &floats;
}

/** Its label, and its options but for what is left to the caller. */
static void describe(const struct device_kernel *kernel, uint32_t width, bool built_in, struct device_variant *variant)
{
    const struct format *format = device_kernel_format(kernel);
    const struct types *types = types_of(kernel);
    char *label = variant->label, *options = variant->options;
    const size_t size = sizeof variant->options;
    words_append(label, sizeof variant->label, "%s%u, ", types->real, width);
    if (variant->split > 1)
        words_append(label, sizeof variant->label, "K split %u ways, ", variant->split);
    words_append(label, sizeof variant->label, "groups of %zu", variant->group);
    words_append(options, size, "%s-DWIDTH=%u -DSPLIT=%u -DGROUP=%zu -DPANEL_ROWS=%u -DGUARD=%d",
                 built_in && strcmp(types->activation, "char") == 0 ? "-cl-std=CL3.0 -DBUILT_IN=1 " : "", width,
                 variant->split, variant->group, format->rows_per_panel, GUARD);
    words_append(options, size, " -DREAL=%s -DACTIVATION=%s -DRESULT=%s -DOUT=%s", types->real, types->activation,
                 types->result, types->out);
    for (const char *at = kernel->macros; *at; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        words_append(options, size, " -D%.*s", length, at);
        at += length;
    }
}

bool device_product_arrange(const struct device_kernel *kernel, const struct opencl_device *device, size_t m,
                            size_t variant, struct device_variant *arranged)
{
    static const struct {
        uint32_t width, split;
        size_t group; /* at least */
    } variants[PRODUCT_VARIANTS] = {
        {1, 1, 1}, {1, 1, 64}, {1, 4, 64}, {1, 16, 256}, {4, 1, 1},   {4, 8, 64},
        {8, 1, 1}, {8, 8, 64}, {16, 1, 1}, {16, 4, 4},   {16, 8, 64}, {16, 32, 256},
    };
    const struct format *format = device_kernel_format(kernel);
    const uint32_t width = variants[variant].width, split = variants[variant].split,
                   lanes = device_kernel_macro(kernel, "LANES", 1), items = lanes > width ? lanes / width : 1;
    const size_t together = items * split, wanted = variants[variant].group;
    const size_t shares = wanted > together ? wanted / together : 1,
                 groups = (format_panels(format, m) + shares - 1) / shares;
    *arranged = (struct device_variant){
        .group = together * shares, .items = groups * together * shares, .together = together, .split = split};
    describe(kernel, width, device->integer_dot_product == OPENCL_YES, arranged);
    words_append(arranged->options, sizeof arranged->options, " -DITEMS=%u", items);
    const uint64_t local = split > 1 ? (uint64_t)arranged->group * format->rows_per_panel / items * RESULT_BYTES : 0;
    return width >= device_kernel_macro(kernel, "WIDTH_LEAST", 1) &&
           width <= device_kernel_macro(kernel, "WIDTH_MOST", 1) && (lanes == 1 || lanes % width == 0) &&
           (device->group_items == 0 || arranged->group <= device->group_items) &&
           (device->local_bytes == 0 || local <= device->local_bytes);
}

/* ---- matrix and activations ---- */

static uint64_t copy_bytes_of(const struct format *format, size_t m, size_t k)
{
    const uint64_t bytes = format_packed_bytes(format, m, k) + GUARD_BYTES;
    return (bytes + COPY_ALIGNED - 1) / COPY_ALIGNED * COPY_ALIGNED;
}

uint64_t device_product_bytes(const struct device_kernel *kernel, const struct opencl_device *device, size_t m,
                              size_t k)
{
    const uint64_t one = copy_bytes_of(device_kernel_format(kernel), m, k), cold = device_cold_bytes(device);
    const bool fits = (!device->buffer_bytes || one <= device->buffer_bytes) &&
                      (!device->memory_bytes || one <= device->memory_bytes / 2);
    return !fits ? 0 : one > cold ? one : cold;
}

/** All weights at their least or most. */
static int fill_alike(const struct device_product *product, bool most)
{
    const struct format *format = product->definition.format;
    const size_t count = product->m * product->k;
    float *w = malloc(count * sizeof *w);
    if (!w)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        w[i] = format_is_integer(format) ? (float)(most ? format->weight_max : format->weight_min) : most ? 1 : -1;
    int error = format_pack(format, w, product->m, product->k, product->packed);
    free(w);
    return error;
}

static int fill_matrix(struct device_product *product, enum device_fill fill, uint64_t *random)
{
    const struct format *format = product->definition.format;
    const size_t units = format_is_uniform(format) ? format_steps(format, product->k) : 1;
    memset(product->packed, GUARD_BYTE, product->copy_bytes);
    if (fill != DEVICE_FILL_RANDOM)
        return fill_alike(product, fill == DEVICE_FILL_MOST);
    format_fill(format, product->packed, product->panels * units, product->k, random);
    return 0;
}

/** Zeros past K, and then a guard. */
static void fill_activations(struct device_product *product, enum device_fill fill, uint64_t *random)
{
    const size_t of_one = kernel_activation_bytes(&product->definition);
    int32_t sum = activations_draw(&product->definition, product->activations, product->k, random);
    if (fill != DEVICE_FILL_RANDOM) {
        sum = 127 * (int32_t)product->k;
        for (size_t i = 0; of_one == 1 && i < product->k; i++)
            ((int8_t *)product->activations)[i] = 127;
        for (size_t i = 0; of_one != 1 && i < product->k; i++)
            ((float *)product->activations)[i] = 1;
    }
    memset(product->activations + product->k * of_one, 0, (product->columns - product->k) * of_one);
    memset(product->activations + product->columns * of_one, GUARD_BYTE, GUARD_BYTES);
    product->correction = of_one == 1 ? -product->definition.format->activation_offset * sum : 0;
}

/** What the device reads: the activations, or what prepare() makes of them, and a guard. */
static int make_operand(struct device_product *product)
{
    const struct kernel *definition = &product->definition;
    product->operand = product->activations;
    product->operand_bytes = product->columns * kernel_activation_bytes(definition) + GUARD_BYTES;
    if (!definition->prepare)
        return 0;
    const size_t bytes = kernel_prepared_bytes(definition, product->columns);
    product->prepared = malloc(bytes + GUARD_BYTES);
    if (!product->prepared)
        return -ENOMEM;
    definition->prepare(product->activations, product->columns, product->prepared);
    memset(product->prepared + bytes, GUARD_BYTE, GUARD_BYTES);
    product->operand = product->prepared;
    product->operand_bytes = bytes + GUARD_BYTES;
    return 0;
}

static size_t out_bytes(const struct device_product *product)
{
    return (product->panels * product->definition.format->rows_per_panel + 2 * GUARD) * RESULT_BYTES;
}

static int make_host(struct device_product *product, enum device_fill fill, uint64_t seed)
{
    const size_t activation_bytes = product->columns * kernel_activation_bytes(&product->definition) + GUARD_BYTES;
    uint64_t random = seed | 1;
    product->packed = aligned_alloc(COPY_ALIGNED, product->copy_bytes);
    product->activations = calloc(1, activation_bytes);
    product->out = malloc(out_bytes(product));
    if (!product->packed || !product->activations || !product->out)
        return -ENOMEM;
    int error = fill_matrix(product, fill, &random);
    if (error)
        return error;
    fill_activations(product, fill, &random);
    return make_operand(product);
}

static int make_buffers(struct device_product *product, struct opencl_work *work)
{
    int error = opencl_work_buffer(work, product->copies * product->copy_bytes, false, &product->weights_there);
    if (!error)
        error = opencl_work_buffer(work, product->operand_bytes, false, &product->operand_there);
    if (!error)
        error = opencl_work_buffer(work, out_bytes(product), false, &product->out_there);
    for (uint64_t i = 0; !error && i < product->copies; i++)
        error = opencl_work_write(work, product->weights_there, i * product->copy_bytes, product->packed,
                                  product->copy_bytes);
    return error ? error : opencl_work_write(work, product->operand_there, 0, product->operand, product->operand_bytes);
}

int device_product_open(struct device_product *product, struct opencl_work *work, const struct device_kernel *kernel,
                        size_t m, size_t k, uint64_t bytes, enum device_fill fill, uint64_t seed)
{
    const struct format *format = device_kernel_format(kernel);
    *product = (struct device_product){
        .kernel = kernel,
        .definition = device_kernel_definition(kernel),
        .m = m,
        .k = k,
        .panels = format_panels(format, m),
        .columns = format_columns(format, k),
        .panel_bytes = format_panel_bytes(format, k),
        .copy_bytes = copy_bytes_of(format, m, k),
    };
    product->copies = bytes > product->copy_bytes ? bytes / product->copy_bytes : 1;
    int error = make_host(product, fill, seed);
    return error ? error : make_buffers(product, work);
}

void device_product_free(struct device_product *product)
{
    free(product->packed);
    free(product->activations);
    free(product->prepared);
    free(product->out);
}

/* ---- launches ---- */

enum {
    PLACE_WEIGHTS,
    PLACE_AT,
    PLACE_PANEL_BYTES,
    PLACE_PANELS,
    PLACE_COLUMNS,
    PLACE_ACTIVATIONS,
    PLACE_CORRECTION,
    PLACE_OUT
};

int device_product_bind(const struct device_product *product, struct opencl_work *work, void *kernel)
{
    const uint64_t panel_bytes = product->panel_bytes;
    const uint32_t panels = (uint32_t)product->panels, columns = (uint32_t)product->columns;
    const float no_correction = 0;
    const bool is_float = strcmp(types_of(product->kernel)->result, "float") == 0;
    const struct {
        uint32_t place;
        size_t bytes;
        const void *value;
    } arguments[] = {
        {PLACE_WEIGHTS, sizeof product->weights_there, &product->weights_there},
        {PLACE_PANEL_BYTES, sizeof panel_bytes, &panel_bytes},
        {PLACE_PANELS, sizeof panels, &panels},
        {PLACE_COLUMNS, sizeof columns, &columns},
        {PLACE_ACTIVATIONS, sizeof product->operand_there, &product->operand_there},
        {PLACE_CORRECTION, sizeof product->correction,
         is_float ? (const void *)&no_correction : (const void *)&product->correction},
        {PLACE_OUT, sizeof product->out_there, &product->out_there},
    };
    int error = 0;
    for (size_t i = 0; !error && i < sizeof arguments / sizeof *arguments; i++)
        error = opencl_work_argument(work, kernel, arguments[i].place, arguments[i].bytes, arguments[i].value);
    return error;
}

int device_product_compile(const struct device_kernel *kernel, struct opencl_work *work,
                           const struct device_variant *variant, const char *frame, const char *name, void **compiled)
{
    void *program;
    const bool integer = strcmp(types_of(kernel)->activation, "char") == 0;
    const char *const of_integers[] = {"micro/opencl/vector.h", "micro/opencl/dot.h", kernel->source, frame, NULL};
    const char *const of_floats[] = {"micro/opencl/vector.h", kernel->source, frame, NULL};
    char *text = device_text(integer ? of_integers : of_floats);
    if (!text)
        return -ENOMEM;
    int error = opencl_work_build(work, text, variant->options, &program);
    free(text);
    return error ? error : opencl_work_kernel(work, program, name, compiled);
}

int device_product_launch(struct device_product *product, struct opencl_work *work, void *kernel,
                          const struct device_variant *variant, unsigned launches, struct opencl_series *series)
{
    const struct opencl_turn turn = {PLACE_AT, product->copies, product->copy_bytes, &product->next};
    return opencl_work_launch(work, kernel, variant->items, variant->group, &turn, launches, series);
}

/* ---- results ---- */

static int compare_panel(const struct device_product *product, size_t panel, struct reference_check *check)
{
    const uint32_t rows = product->definition.format->rows_per_panel;
    const size_t first = panel * rows, count = first + rows <= product->m ? rows : product->m - first;
    struct reference_row *wanted = malloc(rows * sizeof *wanted);
    if (!wanted)
        return -ENOMEM;
    reference_rows(&product->definition, product->packed + panel * product->panel_bytes, product->k, count,
                   product->activations, product->prepared, wanted);
    reference_compare(&product->definition, wanted, count, product->out + (GUARD + first) * RESULT_BYTES, check);
    free(wanted);
    return 0;
}

static int compare(const struct device_product *product, uint64_t *random, struct reference_check *check)
{
    const uint32_t rows = product->definition.format->rows_per_panel;
    const size_t some = SOME_PANELS / rows + 2;
    const bool all = product->m * product->k <= ALL_WEIGHTS || some >= product->panels;
    int error = 0;
    for (size_t i = 0; !error && i < (all ? product->panels : some); i++) {
        const size_t panel = all     ? i
                             : i < 2 ? i * (product->panels - 1) /* the first and the last */
                                     : activations_random(random) % product->panels;
        error = compare_panel(product, panel, check);
    }
    return error;
}

static bool guards_are_whole(const struct device_product *product)
{
    const size_t bytes = GUARD * RESULT_BYTES, after = out_bytes(product) - bytes;
    for (size_t i = 0; i < bytes; i++) {
        if (product->out[i] != GUARD_BYTE || product->out[after + i] != GUARD_BYTE)
            return false;
    }
    return true;
}

int device_product_try(struct device_product *product, struct opencl_work *work, void *kernel,
                       const struct device_variant *variant, uint64_t *random, struct reference_check *check)
{
    struct opencl_series series;
    struct reference_check now = {0};
    memset(product->out, GUARD_BYTE, out_bytes(product));
    int error = opencl_work_write(work, product->out_there, 0, product->out, out_bytes(product));
    if (!error)
        error = device_product_launch(product, work, kernel, variant, 1, &series);
    if (!error)
        error = opencl_work_read(work, product->out_there, product->out, out_bytes(product));
    if (!error)
        error = compare(product, random, &now);
    if (error)
        return error;
    if (now.wrong)
        return refuse(
            -EILSEQ, work->why, sizeof work->why,
            "%zu of %zu results compared are wrong, of %s: one is %.9g instead of %.9g: a fault of the driver or of the device",
            now.wrong, now.rows, variant->label, now.got, now.wanted);
    if (!guards_are_whole(product))
        return refuse(-EILSEQ, work->why, sizeof work->why,
                      "the variant %s writes outside its results: a fault of the kernel or of the driver",
                      variant->label);
    check->rows += now.rows;
    check->unequal += now.unequal;
    check->error_most = fmax(check->error_most, now.error_most);
    check->magnitude = fmax(check->magnitude, now.magnitude);
    return 0;
}
