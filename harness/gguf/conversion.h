/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/gguf/npy.h"
#include "harness/gguf/quality.h"

/**
 * What a layer's output loses when a quantized model becomes bipolar-INT [apt-llm, VI-E, Table V]. Its integers convert exactly;
 * scales and zeros are kept in f16 or f32, and there z - s/2 rounds.
 *
 * Weights of n bits: signed integers, a scale and a zero a group of columns, W = s w + z with s = (max - min) / (2^n - 1).
 * Activations of q bits: signed integers, a scale a token, x = s_x x^ with s_x = max|x| / (2^(q-1) - 1). Before and after the
 * conversion an output is, over the groups of g columns,
 *
 *     y = sum_groups  s s_x sum w x^ + s z_x sum w + z s_x sum x^ + g z z_x
 *
 * with s, z, s_x, z_x of the signed (z_x = 0: two terms) and of the bipolar integers (all four). The sums are exact; parameters,
 * each term and each sum of terms are rounded to the type. All is computed; nothing is taken from an identity.
 */
enum conversion_type { CONVERSION_F16, CONVERSION_F32, CONVERSION_TYPES };

struct conversion_request {
    uint32_t weight_bits, activation_bits; /* 2 to 8 */
    size_t group;                          /* columns of a scale; 0: all of a row */
    enum conversion_type type;
};

struct conversion {
    double error_before,
        error_after;       /* |Y - X W^T|^2 / |X W^T|^2, of the weights and activations before they were quantized */
    double difference;     /* |after - before| / |before|, Frobenius norm */
    double equal;          /* share of outputs that are the same bit for bit */
    double ulp;            /* largest |after - before|, in units in the last place of that output before */
    double ulp_of_largest; /* the same in those of the layer's largest output: small outputs of large terms cancel */
};

/** "f16", "f32". */
const char *conversion_type_name(enum conversion_type type);

/** Bits of a weight of n bits whose row of k columns has a scale and a zero in f16. */
double conversion_bits(uint32_t bits, size_t k);

/** The weights that bipolar integers of 2 to 8 bits stand for, a scale and a zero a row in f16. @param q  [m][k] @return 0 or -ENOMEM */
int conversion_weights(const struct matrix *matrix, uint32_t bits, float *q);

/**
 * @param x  activations [QUALITY_TOKENS][k], see synthetic_activations
 * @return 0, -ENOMEM, or with one line in why (of `size` bytes) -EINVAL: the group does not divide K, all outputs are zero; -ERANGE: an
 *         output, or a sum on the way to it, has no number in this type, as happens in f16 with few bits and long rows
 */
int conversion_of(const struct matrix *matrix, const float *x, const struct conversion_request *request,
                  struct conversion *conversion, char *why, size_t size);
