/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/operands/unpacked.h"

bool unpacked_alike(const uint8_t *alone, const uint8_t *multiplied, size_t bytes, uint8_t junk, size_t columns)
{
    enum { LAST_COLUMNS = 256 };
    size_t written = 0, least = (columns < LAST_COLUMNS ? columns : LAST_COLUMNS) / 2;
    for (size_t i = 0; i < bytes; i++) {
        if (alone[i] != junk && alone[i] != multiplied[i])
            return false;
        written += alone[i] != junk;
    }
    return written && written >= least;
}
