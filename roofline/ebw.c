/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/ebw.h"

#include <math.h>
#include <stdbool.h>

enum { WEIGHTS_PER_VECTOR = 32, BITS_PER_BYTE = 8, MOST_BITS_PER_WEIGHT = 64 };

/* Below this share of the larger time the smaller one drowns in the noise of the measurement. */
static const double least_share_for_overlap = 0.02;

typedef double bandwidth_model(double beta, double bytes, double gamma);

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

static bool in_range(double beta, double bytes, double gamma)
{
    return is_positive(beta) && is_positive(bytes) && is_positive(gamma);
}

double roofline_vector_bytes(double bits_per_weight)
{
    if (!is_positive(bits_per_weight) || bits_per_weight > MOST_BITS_PER_WEIGHT)
        return NAN;
    return WEIGHTS_PER_VECTOR * bits_per_weight / BITS_PER_BYTE;
}

double roofline_effective_bandwidth(double beta, double bytes, double gamma)
{
    return in_range(beta, bytes, gamma) ? fmin(beta, bytes / gamma) : NAN;
}

double roofline_effective_bandwidth_serial(double beta, double bytes, double gamma)
{
    return in_range(beta, bytes, gamma) ? 1 / (1 / beta + gamma / bytes) : NAN;
}

double roofline_knee(double bytes, double gamma)
{
    return is_positive(bytes) && is_positive(gamma) ? bytes / gamma : NAN;
}

enum roofline_bound roofline_binds(double beta, double bytes, double gamma)
{
    return beta > roofline_knee(bytes, gamma) ? ROOFLINE_UPCONVERT : ROOFLINE_MEMORY;
}

double roofline_overlap(double time, double memory_time, double compute_time)
{
    if (!in_range(time, memory_time, compute_time))
        return NAN;
    double smaller = fmin(memory_time, compute_time);
    double larger = fmax(memory_time, compute_time);
    if (smaller < least_share_for_overlap * larger)
        return NAN;
    return (memory_time + compute_time - time) / smaller;
}

double roofline_bandwidth_overlap(double e_bw, double beta, double bytes, double gamma)
{
    return in_range(beta, bytes, gamma) ? roofline_overlap(1 / e_bw, 1 / beta, gamma / bytes) : NAN;
}

double roofline_knee_distance(double beta, double bytes, double gamma)
{
    return in_range(beta, bytes, gamma) ? beta * gamma / bytes : NAN;
}

static double sum_over_cores(const struct roofline_kind *kinds, size_t count, double bytes, bandwidth_model *e_bw)
{
    double bytes_per_s = count > 0 ? 0 : NAN;
    for (size_t i = 0; i < count; i++) {
        if (kinds[i].cores == 0)
            continue;
        if (!is_positive(kinds[i].hz))
            return NAN;
        bytes_per_s += (double)kinds[i].cores * kinds[i].hz * e_bw(kinds[i].beta, bytes, kinds[i].gamma);
    }
    return bytes_per_s > 0 ? bytes_per_s : NAN;
}

static double seconds_at(double bytes_per_s, double packed_bytes, double synchronisation_s)
{
    if (!is_positive(packed_bytes) || !isfinite(synchronisation_s) || synchronisation_s < 0)
        return NAN;
    return packed_bytes / bytes_per_s + synchronisation_s;
}

double roofline_machine_bandwidth(const struct roofline_kind *kinds, size_t count, double bytes)
{
    return sum_over_cores(kinds, count, bytes, roofline_effective_bandwidth);
}

double roofline_machine_bandwidth_serial(const struct roofline_kind *kinds, size_t count, double bytes)
{
    return sum_over_cores(kinds, count, bytes, roofline_effective_bandwidth_serial);
}

double roofline_gemv_seconds(const struct roofline_kind *kinds, size_t count, double bytes, double packed_bytes,
                             double synchronisation_s)
{
    return seconds_at(roofline_machine_bandwidth(kinds, count, bytes), packed_bytes, synchronisation_s);
}

double roofline_gemv_seconds_serial(const struct roofline_kind *kinds, size_t count, double bytes, double packed_bytes,
                                    double synchronisation_s)
{
    return seconds_at(roofline_machine_bandwidth_serial(kinds, count, bytes), packed_bytes, synchronisation_s);
}

double roofline_amdahl(double alpha, double x)
{
    if (!isfinite(alpha) || alpha < 0 || alpha > 1 || !is_positive(x))
        return NAN;
    return 1 / (1 - alpha + alpha / x);
}

const char *roofline_bound_name(enum roofline_bound bound)
{
    return bound == ROOFLINE_UPCONVERT ? "up-convert" : "memory";
}
