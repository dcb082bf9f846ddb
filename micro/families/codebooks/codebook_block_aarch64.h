/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of group-wise codebooks, and the codebooks, for kernels on aarch64.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_BLOCK_AARCH64_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_BLOCK_AARCH64_H

#include <stdint.h>

#include "micro/of_self.h"

/** Where an interleaved block has its parts, see format.c. */
enum {
    GROUP_BYTES = 2 * BLOCK_ROWS,
    CODES = GROUP_BYTES + 16 * BLOCK_ROWS,
    UPPER = CODES + 64 * BLOCK_ROWS,
    LINE = 4 * BLOCK_ROWS
};

/** A table of 16, 32 or 64 bytes: values by codebook and code. */
static const int8_t codebooks[CB_BOOKS][1 << CB_BITS] = {
#include OF_FORMAT(codebooks.inc)
};

#endif
