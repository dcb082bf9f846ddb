/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See conversion.h.
 */
#include "harness/gguf/conversion.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "micro/quantization/bipolar.h"
#include "results/text/refuse.h"

/** Unit in the last place of a number of the type, 11 or 24 bits; of 0 the least that there is. */
static double ulp_of(double value, enum conversion_type type)
{
    int digits = type == CONVERSION_F16 ? 11 : FLT_MANT_DIG, least = type == CONVERSION_F16 ? -24 : -149, exponent;
    (void)frexp(value, &exponent);
    return ldexp(1, value == 0 || exponent - digits < least ? least : exponent - digits);
}

/** To the nearest number of the type, ties to even; too large becomes infinity. Rounded once: by way of f32 it could be twice. */
static double rounded(double value, enum conversion_type type)
{
    double unit = ulp_of(value, type), nearest = isfinite(value) ? rint(value / unit) * unit : value;
    return fabs(nearest) > (type == CONVERSION_F16 ? 65504.0 : (double)FLT_MAX) ? copysign(INFINITY, value) : nearest;
}

/** A row of weights or a token, quantized: the bits of its bipolar integers, and what the signed ones stand for, group by group. */
struct vector {
    uint8_t *bits;
    struct affine *of; /* [groups] */
};

struct task {
    const struct matrix *matrix;
    const struct conversion_request *request;
    size_t group, groups;
    struct vector row, *activations; /* [QUALITY_TOKENS], of which each has one affine */
};

static int32_t clamped(double value, uint32_t bits)
{
    const int32_t most = (1 << (bits - 1)) - 1;
    return value > most ? most : value < -most - 1 ? -most - 1 : (int32_t)rint(value);
}

static void quantize(const float *values, size_t count, struct affine of, uint32_t bits, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        double exact = of.scale > 0 ? ((double)values[i] - of.zero) / of.scale : 0;
        out[i] = (uint8_t)bipolar_bits_of_code((uint32_t)clamped(exact, bits), bits);
    }
}

/** The parameters are those of the type: a quantized model has no others. */
static struct affine asymmetric(const float *w, size_t count, uint32_t bits, enum conversion_type type)
{
    double least = (double)w[0], most = (double)w[0];
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, (double)w[i]);
        most = fmax(most, (double)w[i]);
    }
    double scale = (most - least) / bipolar_most(bits);
    return (struct affine){rounded(scale, type), rounded(least + scale * (1 << (bits - 1)), type)};
}

static struct affine symmetric(const float *x, size_t count, uint32_t bits, enum conversion_type type)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)x[i]));
    return (struct affine){rounded(most / ((1 << (bits - 1)) - 1), type), 0};
}

static void quantize_row(const struct task *task, size_t row)
{
    const struct conversion_request *request = task->request;
    for (size_t g = 0; g < task->groups; g++) {
        const float *w = task->matrix->w + row * task->matrix->k + g * task->group;
        task->row.of[g] = asymmetric(w, task->group, request->weight_bits, request->type);
        quantize(w, task->group, task->row.of[g], request->weight_bits, task->row.bits + g * task->group);
    }
}

static void quantize_tokens(const struct task *task, const float *x)
{
    const struct conversion_request *request = task->request;
    for (size_t t = 0; t < QUALITY_TOKENS; t++) {
        const float *token = x + t * task->matrix->k;
        *task->activations[t].of = symmetric(token, task->matrix->k, request->activation_bits, request->type);
        quantize(token, task->matrix->k, *task->activations[t].of, request->activation_bits, task->activations[t].bits);
    }
}

/** Exact sums over a group, of one kind of integers. */
struct sums {
    int64_t product, weights, activations;
};

static void add_group(const struct task *task, const uint8_t *w, const uint8_t *x, struct sums *of_signed,
                      struct sums *of_bipolar)
{
    for (size_t i = 0; i < task->group; i++) {
        int32_t a = bipolar_from_bits(w[i], task->request->weight_bits),
                b = bipolar_from_bits(x[i], task->request->activation_bits);
        of_bipolar->product += a * b;
        of_bipolar->weights += a;
        of_bipolar->activations += b;
        a = bipolar_to_signed(a);
        b = bipolar_to_signed(b);
        of_signed->product += a * b;
        of_signed->weights += a;
        of_signed->activations += b;
    }
}

/** One group's terms added to an output, everything rounded to the type. */
static double add_terms(double y, const struct sums *sums, struct affine w, struct affine x, size_t group,
                        enum conversion_type type)
{
    const double terms[] = {w.scale * x.scale * (double)sums->product, w.scale * x.zero * (double)sums->weights,
                            w.zero * x.scale * (double)sums->activations, w.zero * x.zero * (double)group};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        y = rounded(y + rounded(terms[i], type), type);
    return y;
}

static struct affine converted(struct affine of, enum conversion_type type)
{
    struct affine to = bipolar_affine_of_signed(of);
    return (struct affine){rounded(to.scale, type), rounded(to.zero, type)};
}

struct outputs {
    double before, after;
};

static struct outputs outputs_of(const struct task *task, const struct vector *x)
{
    const enum conversion_type type = task->request->type;
    struct outputs y = {0, 0};
    for (size_t g = 0; g < task->groups; g++) {
        struct sums of_signed = {0}, of_bipolar = {0};
        const size_t at = g * task->group;
        add_group(task, task->row.bits + at, x->bits + at, &of_signed, &of_bipolar);
        struct affine w = task->row.of[g];
        y.before = add_terms(y.before, &of_signed, w, *x->of, task->group, type);
        y.after = add_terms(y.after, &of_bipolar, converted(w, type), converted(*x->of, type), task->group, type);
    }
    return y;
}

/* ---- over the layer ---- */

struct energies {
    double exact, before, error_before, error_after, difference; /* sums of squares */
    double largest, largest_difference, ulp;
    size_t equal, outputs;
    bool finite;
};

static void add_output(struct energies *sum, double exact, struct outputs y, enum conversion_type type)
{
    double difference = fabs(y.after - y.before);
    sum->exact += exact * exact;
    sum->before += y.before * y.before;
    sum->error_before += (y.before - exact) * (y.before - exact);
    sum->error_after += (y.after - exact) * (y.after - exact);
    sum->difference += difference * difference;
    sum->largest = fmax(sum->largest, fabs(y.before));
    sum->largest_difference = fmax(sum->largest_difference, difference);
    sum->ulp = fmax(sum->ulp, difference / ulp_of(y.before, type));
    sum->equal += y.before == y.after;
    sum->outputs++;
    sum->finite = sum->finite && isfinite(y.before) && isfinite(y.after);
}

static void add_row(const struct task *task, size_t row, const float *x, struct energies *sum)
{
    const float *w = task->matrix->w + row * task->matrix->k;
    quantize_row(task, row);
    for (size_t t = 0; t < QUALITY_TOKENS; t++) {
        double exact = 0;
        for (size_t c = 0; c < task->matrix->k; c++)
            exact += (double)w[c] * (double)x[t * task->matrix->k + c];
        add_output(sum, exact, outputs_of(task, &task->activations[t]), task->request->type);
    }
}

static int settle(const struct energies *sum, enum conversion_type type, struct conversion *conversion, char *why,
                  size_t size)
{
    if (!sum->finite)
        return refuse(-ERANGE, why, size, "an output is beyond the numbers of %s", conversion_type_name(type));
    if (!(sum->exact > 0) || !(sum->before > 0))
        return refuse(-EINVAL, why, size, "all outputs are zero");
    *conversion = (struct conversion){
        .error_before = sum->error_before / sum->exact,
        .error_after = sum->error_after / sum->exact,
        .difference = sqrt(sum->difference / sum->before),
        .equal = (double)sum->equal / (double)sum->outputs,
        .ulp = sum->ulp,
        .ulp_of_largest = sum->largest_difference / ulp_of(sum->largest, type),
    };
    return 0;
}

static void release(struct task *task)
{
    free(task->row.bits);
    free(task->row.of);
    for (size_t t = 0; task->activations && t < QUALITY_TOKENS; t++) {
        free(task->activations[t].bits);
        free(task->activations[t].of);
    }
    free(task->activations);
}

static int allocate(struct task *task)
{
    task->row.bits = malloc(task->matrix->k);
    task->row.of = calloc(task->groups, sizeof *task->row.of);
    task->activations = calloc(QUALITY_TOKENS, sizeof *task->activations);
    bool has_all = task->row.bits && task->row.of && task->activations;
    for (size_t t = 0; has_all && t < QUALITY_TOKENS; t++) {
        task->activations[t].bits = malloc(task->matrix->k);
        task->activations[t].of = calloc(1, sizeof *task->activations[t].of);
        has_all = task->activations[t].bits && task->activations[t].of;
    }
    return has_all ? 0 : -ENOMEM;
}

const char *conversion_type_name(enum conversion_type type)
{
    return type == CONVERSION_F16 ? "f16" : "f32";
}

double conversion_bits(uint32_t bits, size_t k)
{
    return bits + 2 * 16. / (double)k;
}

int conversion_weights(const struct matrix *matrix, uint32_t bits, float *q)
{
    uint8_t *row = malloc(matrix->k);
    if (!row)
        return -ENOMEM;
    for (size_t at = 0; at < matrix->m * matrix->k; at += matrix->k) {
        const struct affine of = asymmetric(matrix->w + at, matrix->k, bits, CONVERSION_F16),
                            to = converted(of, CONVERSION_F16);
        quantize(matrix->w + at, matrix->k, of, bits, row);
        for (size_t c = 0; c < matrix->k; c++)
            q[at + c] = (float)(to.scale * bipolar_from_bits(row[c], bits) + to.zero);
    }
    free(row);
    return 0;
}

int conversion_of(const struct matrix *matrix, const float *x, const struct conversion_request *request,
                  struct conversion *conversion, char *why, size_t size)
{
    size_t group = request->group ? request->group : matrix->k;
    if (matrix->k % group)
        return refuse(-EINVAL, why, size, "its %zu columns are no multiple of the group size %zu", matrix->k, group);
    struct task task = {.matrix = matrix, .request = request, .group = group, .groups = matrix->k / group};
    struct energies sum = {.finite = true};
    int error = allocate(&task);
    if (!error)
        quantize_tokens(&task, x);
    for (size_t row = 0; !error && row < matrix->m; row++)
        add_row(&task, row, x, &sum);
    if (!error)
        error = settle(&sum, request->type, conversion, why, size);
    release(&task);
    return error;
}
