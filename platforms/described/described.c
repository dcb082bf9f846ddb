/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/described/described.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/described/described_fields.h"

/** "int2_vnni4.mask.avx2" of "int2_vnni4.mask". */
static bool is_variant_of(const char *full, const char *name)
{
    return strncasecmp(full, name, strlen(name)) == 0 && full[strlen(name)] == '.';
}

const struct described_gamma *described_gamma_of(const struct described_kind *kind, const char *name)
{
    const struct described_gamma *fastest = NULL;
    for (size_t i = 0; i < kind->gamma_count; i++) {
        const struct described_gamma *gamma = &kind->gammas[i];
        if (strcasecmp(gamma->name, name) == 0)
            return gamma;
        if (is_variant_of(gamma->name, name) && (!fastest || gamma->cycles < fastest->cycles))
            fastest = gamma;
    }
    return fastest;
}

const struct described_kernel *described_kernel_of(const struct described_kind *kind, const char *name)
{
    const struct described_kernel *fastest = NULL;
    for (size_t i = 0; i < kind->kernel_count; i++) {
        const struct described_kernel *kernel = &kind->kernels[i];
        if (strcasecmp(kernel->name, name) == 0)
            return kernel;
        if (is_variant_of(kernel->name, name) && (!fastest || kernel->cycles < fastest->cycles))
            fastest = kernel;
    }
    return fastest;
}

const char *described_lacks(const struct described_platform *platform)
{
    if (platform->kind_count == 0)
        return "no gamma, clock or number of cores is stated";
    for (size_t i = 0; i < platform->kind_count; i++) {
        if (platform->kinds[i].gamma_count == 0)
            return "no gamma is stated";
    }
    return NULL;
}

double described_roof_bytes_per_s(const struct described_platform *platform)
{
    bool is_limit = platform->read_limit != DESCRIBED_EXACT || isnan(platform->read_bytes_per_s);
    return is_limit && !isnan(platform->peak_bytes_per_s) ? platform->peak_bytes_per_s : platform->read_bytes_per_s;
}

bool described_is_gpu(const struct described_platform *platform)
{
    return platform->kind_count == 0 && !isnan(platform->matrix_ops_per_s) &&
           !isnan(described_roof_bytes_per_s(platform));
}

const char *described_limit_words(enum described_limit limit)
{
    static const char *const words[] = {
        [DESCRIBED_EXACT] = "", [DESCRIBED_AT_LEAST] = "at least ", [DESCRIBED_AT_MOST] = "at most "};
    return words[limit];
}

static void free_kind(struct described_kind *kind)
{
    for (size_t i = 0; i < kind->gamma_count; i++) {
        free(kind->gammas[i].name);
        free(kind->gammas[i].source);
    }
    free(kind->gammas);
    described_free_kernels(kind);
    free(kind->microarchitecture);
    free(kind->microarchitecture_stated);
    free(kind->kind);
}

void described_free(struct described_platform *platform)
{
    for (size_t i = 0; i < platform->kind_count; i++)
        free_kind(&platform->kinds[i]);
    free(platform->kinds);
    for (size_t i = 0; i < platform->fact_count; i++) {
        free(platform->facts[i].name);
        free(platform->facts[i].source);
    }
    free(platform->facts);
    free(platform->name);
    free(platform->title);
    free(platform->source);
    *platform = (struct described_platform){0};
}
