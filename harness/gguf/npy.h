/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/** A matrix of a user's file, row-major. */
struct matrix {
    size_t m, k;
    float *w; /* [m][k] */
};

enum { NPY_REASON = 256 };

/**
 * Read a matrix of NumPy's .npy format, version 1 to 3: two dimensions, C order, little-endian floats of 16, 32 or 64 bits, all of them
 * finite in 32 bits.
 *
 * @param why  receives one line that names what is wrong, NPY_REASON bytes
 * @return 0; -errno of the file; -EINVAL what it is not; -ENOMEM
 */
int npy_read(const char *path, struct matrix *matrix, char *why);
