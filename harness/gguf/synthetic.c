/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See synthetic.h.
 */
#include "harness/gguf/synthetic.h"

#include <math.h>
#include <string.h>

#include "micro/isa/random.h"

enum { DEGREES = 5, OUTLIER_EVERY = 64, OUTLIER_FACTOR = 8 };

static const char *const names[SYNTHETIC_KINDS] = {"gaussian", "student", "laplace", "outliers"};

const char *synthetic_name(enum synthetic_kind kind)
{
    return names[kind];
}

enum synthetic_kind synthetic_find(const char *name)
{
    enum synthetic_kind kind = SYNTHETIC_GAUSSIAN;
    while (kind < SYNTHETIC_KINDS && strcmp(names[kind], name) != 0)
        kind++;
    return kind;
}

/** In (0, 1). */
static double uniform(uint64_t *random)
{
    return ((double)(random_bits(random) >> 11) + 0.5) * 0x1p-53;
}

/** Box and Muller. */
static double normal(uint64_t *random)
{
    double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(2 * M_PI * uniform(random));
}

static double student(uint64_t *random)
{
    double value = normal(random), squares = 0;
    for (int i = 0; i < DEGREES; i++) {
        double each = normal(random);
        squares += each * each;
    }
    return value / sqrt(squares / DEGREES);
}

static double laplace(uint64_t *random)
{
    double at = uniform(random) - 0.5;
    return at < 0 ? log1p(2 * at) : -log1p(-2 * at);
}

void synthetic_weights(enum synthetic_kind kind, size_t m, size_t k, uint64_t seed, float *w)
{
    uint64_t random = seed;
    for (size_t i = 0; i < m * k; i++) {
        double value = kind == SYNTHETIC_STUDENT   ? student(&random)
                       : kind == SYNTHETIC_LAPLACE ? laplace(&random)
                                                   : normal(&random);
        if (kind == SYNTHETIC_OUTLIERS && i % k % OUTLIER_EVERY == 0)
            value *= OUTLIER_FACTOR;
        w[i] = (float)value;
    }
}

void synthetic_activations(size_t tokens, size_t k, uint64_t seed, float *x)
{
    uint64_t random = seed;
    for (size_t t = 0; t < tokens; t++) {
        double before = normal(&random);
        for (size_t c = 0; c < k; c++) {
            before = 0.5 * before + sqrt(0.75) * normal(&random);
            x[t * k + c] = (float)before;
        }
    }
    for (size_t c = 0; c < k; c++) {
        float magnitude = (float)exp(0.5 * normal(&random));
        for (size_t t = 0; t < tokens; t++)
            x[t * k + c] *= magnitude;
    }
}

void synthetic_magnitudes(size_t count, double sigma, uint64_t seed, double *magnitude)
{
    uint64_t random = seed;
    for (size_t i = 0; i < count; i++)
        magnitude[i] = exp(sigma * normal(&random));
}
