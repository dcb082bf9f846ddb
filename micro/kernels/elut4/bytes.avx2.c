/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes, 8 of a group of 4 steps. A group is at most 8 * 381; 10 of them fit 16 bits.
 */
#include "micro/kernel.h"
#include "micro/kernels/finish.h"
#include "micro/kernels/lookup_avx2.h"
#include "micro/kernels/tl1/layout.h"

enum { INTERLEAVE = 4, BLOCK_GROUPS = 10 };

#include "micro/kernels/elut4/bytes.avx2.S"

#include "micro/kernels/elut4/tables.h"

static const uint8_t *tables_of(const struct gemv_slice *slice)
{
    return ((const struct tables *)slice->prepared)->steps;
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct tables *tables = slice->prepared;
    finish_rows(sums, TL1_ROWS, add_wrapping(slice->correction, tables->middles), slice->out + panel * TL1_ROWS);
}

#include "micro/kernels/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "tl1.bytes.avx2",
    .prefetch_bytes = 2048,
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};
