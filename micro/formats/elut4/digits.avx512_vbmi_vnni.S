/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes, 8 of 4 steps; a sum of two activations is 29 h + l. The inner loop is of twice as many; the steps that are left are
 * looked up in C.
 */
#define BASE 29
#include "micro/formats/tl1/lookup_lines_frame.h"

#ifndef __ASSEMBLER__
#include "micro/families/lookup/elut_avx2.h"

#include "micro/formats/elut4/tables.h"
#include "micro/formats/tl1/lookup_lines_avx512.h"

static void gemv_less_middles(const struct gemv_slice *slice)
{
    const struct tables *tables = slice->prepared;
    struct gemv_slice of = *slice;
    of.prepared = tables->steps;
    of.correction = add_wrapping(slice->correction, tables->middles);
    gemv(&of);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "tl1.digits.avx512_vbmi_vnni",
    .prefetch_bytes = 512,
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv_less_middles,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};
#endif
