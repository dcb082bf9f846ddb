/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_KERNELS_PLANES_H
#define REPORTS_SELECT_KERNELS_PLANES_H

#include <jansson.h>
#include <stdbool.h>

/** Bits of both sides of a bit-serial product. */
struct scheme_bits {
    unsigned weights, activations; /* 1 to 8 */
};

/**
 * Read them from the names of a gemm, gemv or gamma record: of a format `w<p>` or `w<p>_<layout>` with a sequence that begins
 * with `a<q>`, or of a format `w<p>a<q>`. @return whether it is bit-serial
 */
bool scheme_bits_of(const json_t *record, struct scheme_bits *bits);

#endif
