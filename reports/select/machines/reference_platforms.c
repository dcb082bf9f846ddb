/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/reference_platforms.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platforms/described/described_open.h"
#include "platforms/described/units.h"
#include "roofline/ebw.h"

int reference_platforms_add(struct reference_platforms *platforms, const char *names, char *why, size_t size)
{
    for (const char *at = names; *at;) {
        char name[4096];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length + (at[length] == ',');
        if (platforms->count == REFERENCE_PLATFORMS_MAX) {
            snprintf(why, size, "at most %d platforms fit in a figure; '%s' is one too many", REFERENCE_PLATFORMS_MAX,
                     name);
            return -E2BIG;
        }
        int error = described_open(name, &platforms->of[platforms->count], why, size);
        if (error)
            return error;
        platforms->count++;
    }
    return 0;
}

void reference_platforms_free(struct reference_platforms *platforms)
{
    for (size_t i = 0; i < platforms->count; i++)
        described_free(&platforms->of[i]);
    *platforms = (struct reference_platforms){.count = 0};
}

double reference_synchronisation_s(const struct described_platform *platform)
{
    return isnan(platform->synchronisation_s) ? 0 : platform->synchronisation_s;
}

const char *reference_sequence(double bits)
{
    return bits == 2 ? "int2_vnni4.envelope" : bits == 1 ? "int1_vnni4.envelope" : NULL;
}

double reference_bytes_per_s(const struct described_platform *platform, double bits)
{
    const char *sequence = reference_sequence(bits);
    double sum = platform->kind_count ? 0 : NAN;
    for (size_t i = 0; i < platform->kind_count; i++) {
        const struct described_kind *kind = &platform->kinds[i];
        const struct described_gamma *gamma = sequence ? described_gamma_of(kind, sequence) : NULL;
        double rate = !sequence ? kind->beta
                      : gamma ? roofline_effective_bandwidth(kind->beta, roofline_vector_bytes(gamma->bits_per_weight),
                                                             gamma->cycles)
                              : NAN;
        sum += (double)kind->cores * kind->core_hz * rate;
    }
    return sum > 0 ? sum : NAN;
}

struct roofline_gpu_time reference_gpu_time(const struct described_platform *gpu,
                                            const struct roofline_gpu_kernel *kernel,
                                            const struct roofline_gpu_product *product, bool attained)
{
    double roof_bytes_per_s = described_roof_bytes_per_s(gpu), read_bytes_per_s = gpu->read_bytes_per_s;
    double slower = read_bytes_per_s < roof_bytes_per_s ? read_bytes_per_s : (double)NAN;
    const struct roofline_gpu roofs = {.bytes_per_s = attained ? slower : roof_bytes_per_s,
                                       .matrix_ops_per_s = gpu->matrix_ops_per_s,
                                       .launch_s = isnan(gpu->launch_s) ? 0 : gpu->launch_s};
    return roofline_gpu_time(&roofs, kernel, product);
}

double reference_fact(const struct described_platform *platform, const char *name)
{
    for (size_t i = 0; i < platform->fact_count; i++) {
        const struct described_fact *fact = &platform->facts[i];
        if (strcmp(fact->name, name) == 0)
            return fact->value * unit_find(fact->unit)->factor;
    }
    return NAN;
}
