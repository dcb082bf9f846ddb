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
#include "micro/isa/half.h"
#include "results/text/refuse.h"

/** Results before and after those of a launch, which must stay; bytes after a copy of the matrix and after the activations. */
enum { GUARD = DEVICE_GUARD, GUARD_BYTES = DEVICE_GUARD_BYTES, COPY_ALIGNED = 256, BLOCK_BYTES = 4 << 20 };
/** What guards hold: of weights the largest codes, of floats no number. */
enum { GUARD_BYTE = 0xff };

/** Weights up to which every row is compared; rows of others, and tokens of many. */
enum { ALL_WEIGHTS = 1 << 20, SOME_PANELS = 96, SOME_TOKENS = 8 };

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

static size_t padded_bytes(const struct device_product *product)
{
    return product->columns * kernel_activation_bytes(&product->definition);
}

/** Of one token; zeros past K. */
static void fill_token(struct device_product *product, size_t token, enum device_fill fill, uint64_t *random)
{
    const size_t of_one = kernel_activation_bytes(&product->definition);
    uint8_t *activations = product->activations + token * padded_bytes(product);
    int32_t sum = activations_draw(&product->definition, activations, product->k, random);
    if (fill != DEVICE_FILL_RANDOM) {
        sum = 127 * (int32_t)product->k;
        for (size_t i = 0; of_one == 1 && i < product->k; i++)
            ((int8_t *)activations)[i] = 127;
        for (size_t i = 0; of_one != 1 && i < product->k; i++)
            ((float *)(void *)activations)[i] = 1;
    }
    product->corrections[token] = of_one == 1 ? -product->definition.format->activation_offset * sum : 0;
}

/** What the device reads: the activations, or what prepare() makes of them, and a guard. */
static int make_operand(struct device_product *product)
{
    const struct kernel *definition = &product->definition;
    product->operand = product->activations;
    product->token_bytes = padded_bytes(product);
    if (!definition->prepare)
        return 0;
    product->token_bytes = kernel_prepared_bytes(definition, product->columns);
    product->prepared = malloc(product->tokens * product->token_bytes + GUARD_BYTES);
    if (!product->prepared)
        return -ENOMEM;
    for (size_t t = 0; t < product->tokens; t++)
        definition->prepare(product->activations + t * padded_bytes(product), product->columns,
                            product->prepared + t * product->token_bytes);
    memset(product->prepared + product->tokens * product->token_bytes, GUARD_BYTE, GUARD_BYTES);
    product->operand = product->prepared;
    return 0;
}

/** Of a token: results of all rows, those of padding among them. */
static size_t token_results(const struct device_product *product)
{
    return product->panels * product->definition.format->rows_per_panel;
}

static size_t out_bytes(const struct device_product *product)
{
    return (product->tokens * token_results(product) + 2 * GUARD) * product->out_size;
}

static int make_host(struct device_product *product, enum device_fill fill, uint64_t seed)
{
    const size_t bytes = product->tokens * padded_bytes(product);
    uint64_t random = seed | 1;
    product->packed = aligned_alloc(COPY_ALIGNED, product->copy_bytes);
    product->activations = calloc(1, bytes + GUARD_BYTES);
    product->corrections = calloc(product->tokens, sizeof *product->corrections);
    product->out = malloc(out_bytes(product));
    if (!product->packed || !product->activations || !product->corrections || !product->out)
        return -ENOMEM;
    int error = fill_matrix(product, fill, &random);
    if (error)
        return error;
    for (size_t t = 0; t < product->tokens; t++)
        fill_token(product, t, fill, &random);
    memset(product->activations + bytes, GUARD_BYTE, GUARD_BYTES);
    return make_operand(product);
}

static int make_buffer(struct opencl_work *work, const void *host, size_t bytes, void **buffer)
{
    int error = opencl_work_buffer(work, bytes, false, buffer);
    return error ? error : opencl_work_write(work, *buffer, 0, host, bytes);
}

/** All copies of the matrix; small ones many at a time. */
static int make_copies(struct device_product *product, struct opencl_work *work)
{
    const uint64_t fit = BLOCK_BYTES / product->copy_bytes, together = fit < 1                 ? 1
                                                                       : fit > product->copies ? product->copies
                                                                                               : fit;
    uint8_t *block = malloc(together * product->copy_bytes);
    if (!block)
        return -ENOMEM;
    for (uint64_t i = 0; i < together; i++)
        memcpy(block + i * product->copy_bytes, product->packed, product->copy_bytes);
    int error = opencl_work_buffer(work, product->copies * product->copy_bytes, false, &product->weights_there);
    for (uint64_t i = 0; !error && i < product->copies; i += together) {
        const uint64_t count = product->copies - i < together ? product->copies - i : together;
        error = opencl_work_write(work, product->weights_there, i * product->copy_bytes, block,
                                  count * product->copy_bytes);
    }
    free(block);
    return error;
}

static int make_buffers(struct device_product *product, struct opencl_work *work)
{
    int error = make_copies(product, work);
    if (!error)
        error = make_buffer(work, product->operand, product->tokens * product->token_bytes + GUARD_BYTES,
                            &product->operand_there);
    if (!error)
        error = make_buffer(work, product->corrections, product->tokens * sizeof *product->corrections,
                            &product->corrections_there);
    if (!error && product->pass_bytes)
        error = opencl_work_buffer(work, product->tokens * product->pass_bytes, false, &product->pass_there);
    return error ? error : opencl_work_buffer(work, out_bytes(product), false, &product->out_there);
}

int device_product_open(struct device_product *product, struct opencl_work *work, const struct device_kernel *kernel,
                        const struct shape *shape, size_t tokens, uint64_t bytes, enum device_fill fill, uint64_t seed)
{
    const struct format *format = device_kernel_format(kernel);
    *product = (struct device_product){
        .kernel = kernel,
        .definition = device_kernel_definition(kernel),
        .m = shape->m,
        .k = shape->k,
        .tokens = tokens,
        .panels = format_panels(format, shape->m),
        .columns = format_columns(format, shape->k),
        .panel_bytes = format_panel_bytes(format, shape->k),
        .copy_bytes = copy_bytes_of(format, shape->m, shape->k),
        .out_size = device_types_of(kernel)->out_size,
    };
    if (device_kernel_macro(kernel, "PASS", 0) == 2)
        product->pass_bytes = GUARD_BYTES + product->columns;
    product->copies = bytes > product->copy_bytes ? bytes / product->copy_bytes : 1;
    int error = make_host(product, fill, seed);
    return error ? error : make_buffers(product, work);
}

void device_product_free(struct device_product *product)
{
    free(product->packed);
    free(product->activations);
    free(product->prepared);
    free(product->corrections);
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
    PLACE_STRIDE,
    PLACE_TOKENS,
    PLACE_CORRECTIONS,
    PLACE_OUT
};
enum { PASS_GIVEN, PASS_STRIDE, PASS_COLUMNS, PASS_MADE, PASS_MADE_BYTES };

struct argument {
    uint32_t place;
    size_t bytes;
    const void *value;
};

static int give(struct opencl_work *work, void *kernel, const struct argument *arguments, size_t count)
{
    int error = 0;
    for (size_t i = 0; !error && i < count; i++)
        error = opencl_work_argument(work, kernel, arguments[i].place, arguments[i].bytes, arguments[i].value);
    return error;
}

static int bind_pass(const struct device_product *product, struct opencl_work *work, void *pass)
{
    const uint32_t columns = (uint32_t)product->columns, stride = (uint32_t)(product->token_bytes / sizeof(uint16_t)),
                   made_bytes = (uint32_t)(product->pass_bytes ? product->pass_bytes : product->token_bytes);
    void *const *made = product->pass_bytes ? &product->pass_there : &product->operand_there;
    const struct argument arguments[] = {
        {PASS_GIVEN, sizeof product->operand_there, &product->operand_there},
        {PASS_STRIDE, sizeof stride, &stride},
        {PASS_COLUMNS, sizeof columns, &columns},
        {PASS_MADE, sizeof *made, made},
        {PASS_MADE_BYTES, sizeof made_bytes, &made_bytes},
    };
    return give(work, pass, arguments, sizeof arguments / sizeof *arguments);
}

int device_product_bind(const struct device_product *product, struct opencl_work *work,
                        const struct device_compiled *compiled)
{
    const uint64_t panel_bytes = product->panel_bytes;
    const uint32_t panels = (uint32_t)product->panels, columns = (uint32_t)product->columns,
                   tokens = (uint32_t)product->tokens;
    const size_t token_bytes = product->pass_bytes ? product->pass_bytes : product->token_bytes;
    const uint32_t stride = (uint32_t)(token_bytes / device_types_of(product->kernel)->activation_size);
    void *const *operand = product->pass_bytes ? &product->pass_there : &product->operand_there;
    const struct argument arguments[] = {
        {PLACE_WEIGHTS, sizeof product->weights_there, &product->weights_there},
        {PLACE_PANEL_BYTES, sizeof panel_bytes, &panel_bytes},
        {PLACE_PANELS, sizeof panels, &panels},
        {PLACE_COLUMNS, sizeof columns, &columns},
        {PLACE_ACTIVATIONS, sizeof *operand, operand},
        {PLACE_STRIDE, sizeof stride, &stride},
        {PLACE_TOKENS, sizeof tokens, &tokens},
        {PLACE_CORRECTIONS, sizeof product->corrections_there, &product->corrections_there},
        {PLACE_OUT, sizeof product->out_there, &product->out_there},
    };
    int error = give(work, compiled->product, arguments, sizeof arguments / sizeof *arguments);
    return error || !compiled->pass ? error : bind_pass(product, work, compiled->pass);
}

static int build(const struct device_kernel *kernel, struct opencl_work *work, const struct device_variant *variant,
                 const char *frame, void **program)
{
    const char *const of_bytes[] = {"micro/opencl/vector.h", "micro/opencl/dot.h", kernel->source, frame, NULL};
    const char *const of_others[] = {"micro/opencl/vector.h", kernel->source, frame, NULL};
    char *text = device_text(device_types_of(kernel)->dots ? of_bytes : of_others);
    int error = text ? opencl_work_build(work, text, variant->options, program) : -ENOMEM;
    free(text);
    return error;
}

int device_product_compile(const struct device_kernel *kernel, struct opencl_work *work,
                           const struct device_variant *variant, const char *frame, const char *name, void **compiled)
{
    void *program;
    int error = build(kernel, work, variant, frame, &program);
    return error ? error : opencl_work_kernel(work, program, name, compiled);
}

int device_product_make(const struct device_kernel *kernel, struct opencl_work *work,
                        const struct device_variant *variant, struct device_compiled *compiled)
{
    void *program;
    int error = build(kernel, work, variant, "micro/opencl/product.cl", &program);
    if (!error)
        error = opencl_work_kernel(work, program, "product", &compiled->product);
    if (!error && device_kernel_macro(kernel, "PASS", 0))
        error = opencl_work_kernel(work, program, "pass", &compiled->pass);
    return error;
}

int device_product_launch(struct device_product *product, struct opencl_work *work,
                          const struct device_compiled *compiled, const struct device_variant *variant,
                          unsigned launches, struct opencl_series *series)
{
    const struct opencl_turn turn = {PLACE_AT, product->copies, product->copy_bytes, &product->next};
    const struct opencl_launch launch[] = {
        {compiled->pass, product->tokens * variant->pass_group, variant->pass_group, NULL},
        {compiled->product, variant->items, variant->group, &turn},
    };
    const size_t skipped = !compiled->pass;
    return opencl_work_launch(work, launch + skipped, 2 - skipped, launches, series);
}

/* ---- results ---- */

/** Results of a token from this row on, as the definition has them. */
static void take_results(const struct device_product *product, size_t token, size_t first, size_t count, void *results)
{
    const uint8_t *from = product->out + (GUARD + token * token_results(product) + first) * product->out_size;
    for (size_t i = 0; i < count; i++) {
        uint16_t bfloat;
        memcpy(&bfloat, from + 2 * i, sizeof bfloat);
        if (product->out_size == sizeof bfloat)
            ((float *)results)[i] = bfloat_to_float(bfloat);
        else
            memcpy((uint8_t *)results + 4 * i, from + 4 * i, 4);
    }
}

/** What a panel must give of its rows. */
struct wanted {
    struct reference_row *rows;
    double *weights;
    float *results;
};

static void compare_token(const struct device_product *product, size_t panel, size_t token, const struct wanted *wanted,
                          struct reference_check *check)
{
    const uint32_t rows = product->definition.format->rows_per_panel;
    const size_t first = panel * rows, count = first + rows <= product->m ? rows : product->m - first;
    reference_rows_of_weights(&product->definition, product->packed + panel * product->panel_bytes, wanted->weights,
                              product->k, count, product->activations + token * padded_bytes(product),
                              product->prepared ? product->prepared + token * product->token_bytes : NULL,
                              wanted->rows);
    take_results(product, token, first, count, wanted->results);
    reference_compare(&product->definition, wanted->rows, count, wanted->results, check);
}

static int compare_panel(const struct device_product *product, size_t panel, bool all, uint64_t *random,
                         struct reference_check *check)
{
    const struct format *format = product->definition.format;
    const uint32_t rows = format->rows_per_panel;
    const size_t tokens = all || product->tokens < SOME_TOKENS ? product->tokens : SOME_TOKENS;
    struct wanted wanted = {malloc(rows * sizeof *wanted.rows), malloc(rows * product->k * sizeof *wanted.weights),
                            malloc(rows * sizeof *wanted.results)};
    const bool room = wanted.rows && wanted.weights && wanted.results;
    if (room)
        reference_weights(format, product->packed + panel * product->panel_bytes, product->k, rows, wanted.weights);
    for (size_t t = 0; room && t < tokens; t++)
        compare_token(product, panel, tokens == product->tokens ? t : activations_random(random) % product->tokens,
                      &wanted, check);
    free(wanted.rows);
    free(wanted.weights);
    free(wanted.results);
    return room ? 0 : -ENOMEM;
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
        error = compare_panel(product, panel, product->m * product->k * product->tokens <= ALL_WEIGHTS, random, check);
    }
    return error;
}

static bool guards_are_whole(const struct device_product *product)
{
    const size_t bytes = GUARD * product->out_size, after = out_bytes(product) - bytes;
    for (size_t i = 0; i < bytes; i++) {
        if (product->out[i] != GUARD_BYTE || product->out[after + i] != GUARD_BYTE)
            return false;
    }
    return true;
}

int device_product_try(struct device_product *product, struct opencl_work *work, const struct device_compiled *compiled,
                       const struct device_variant *variant, uint64_t *random, struct reference_check *check)
{
    struct opencl_series series;
    struct reference_check now = {0};
    memset(product->out, GUARD_BYTE, out_bytes(product));
    int error = opencl_work_write(work, product->out_there, 0, product->out, out_bytes(product));
    if (!error)
        error = device_product_launch(product, work, compiled, variant, 1, &series);
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
