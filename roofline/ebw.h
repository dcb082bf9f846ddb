/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * The effective-bandwidth model of [envelope, III-F]. Pure functions; NaN for an argument out of range.
 * beta  = bytes per core cycle one core reads while all cores read;  gamma = core cycles per output vector of 32
 * weights, loads excluded;  bytes = B, packed bytes of one output vector.
 */

/** Packed bytes of one output vector: 32 * bits / 8, scales included in bits. bits in (0, 64]. */
double roofline_vector_bytes(double bits_per_weight);

/** e_bw = min(beta, B/gamma), bytes per core cycle.                                                    [Eq. (3)] */
double roofline_effective_bandwidth(double beta, double bytes, double gamma);

/** The same without any overlap: 1 / (1/beta + gamma/B), computing and waiting add up. */
double roofline_effective_bandwidth_serial(double beta, double bytes, double gamma);

/** The knee: the beta at which the kernel changes from memory-bound to bound by up-convert and multiply, B/gamma. [Eq.
 * (2)] */
double roofline_knee(double bytes, double gamma);

enum roofline_bound { ROOFLINE_MEMORY, ROOFLINE_UPCONVERT };
/** Which term of Eq. (3) is the smaller one; memory at the knee itself and for arguments out of range. */
enum roofline_bound roofline_binds(double beta, double bytes, double gamma);

/**
 * Measured degree of overlap: 1 when time equals max(memory, compute), 0 when it equals their sum, negative when slower
 * than the sum, above 1 when faster than both (a wrong roof). NaN if the smaller of the two is under 2% of the larger,
 * since then nothing can be said.
 */
double roofline_overlap(double time, double memory_time, double compute_time);

/**
 * The same of a stream that attains e_bw bytes per core cycle, from the times of one byte:
 *
 *     (1/beta + gamma/B - 1/e_bw) / min(1/beta, gamma/B)
 */
double roofline_bandwidth_overlap(double e_bw, double beta, double bytes, double gamma);

/** How far beta is from the knee, beta * gamma / B: below 1 memory is the limit, above it the up-convert sequence. At
 * the distance x the model says e_bw / (B/gamma) = min(x, 1), without any overlap x / (1 + x). */
double roofline_knee_distance(double beta, double bytes, double gamma);

/** One kind of core of a machine. */
struct roofline_kind {
    size_t cores;
    double hz;    /* core clock under load */
    double beta;  /* bytes per core cycle, all cores reading */
    double gamma; /* of the sequence on this kind */
};

/** Bytes per second of the whole machine: sum over kinds of cores * hz * e_bw. Kinds without cores add nothing; NaN
 * without any core. */
double roofline_machine_bandwidth(const struct roofline_kind *kinds, size_t count, double bytes);

/** The same without any overlap on the cores: a lower bound. */
double roofline_machine_bandwidth_serial(const struct roofline_kind *kinds, size_t count, double bytes);

/** Predicted seconds of a GEMV that reads packed_bytes on the machine, plus the synchronisation time. */
double roofline_gemv_seconds(const struct roofline_kind *kinds, size_t count, double bytes, double packed_bytes,
                             double synchronisation_s);

/** The same without any overlap: an upper bound. */
double roofline_gemv_seconds_serial(const struct roofline_kind *kinds, size_t count, double bytes, double packed_bytes,
                                    double synchronisation_s);

/** Amdahl: s = 1 / (1 - alpha + alpha/x).                                                              [Eq. (4)] */
double roofline_amdahl(double alpha, double x);

const char *roofline_bound_name(enum roofline_bound bound); /* "memory", "up-convert" */
