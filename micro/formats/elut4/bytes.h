/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The GEMV whose exact look-ups are added up as bytes, 8 of a group of 4 steps: a group is at most 8 * 381, and 10 of them fit 16 bits. The
 * including .c defines what lookup_panels.h and tables.h need, and takes from here
 *
 *   tables_of(slice)                       the tables of the first step
 *   ELUT4_BYTES_KERNEL(sequence, bytes)    the kernel, modelled by that sequence (NULL: by its own), with such a distance of prefetch
 */
#include "micro/formats/elut4/tables.h"
#include "micro/frames/finish.h"
#include "micro/kernel.h"

static const uint8_t *tables_of(const struct gemv_slice *slice)
{
    return ((const struct tables *)slice->prepared)->steps;
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct tables *tables = slice->prepared;
    finish_rows(sums, TL1_ROWS, add_wrapping(slice->correction, tables->middles), slice->out + panel * TL1_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

#define ELUT4_BYTES_KERNEL(by, bytes)                                                                                  \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = (by), .prefetch_bytes = (bytes), .whole_panels = true, .lossless = true, .gemv = gemv,                \
        .prepared_bytes = prepared_bytes, .prepare = prepare,                                                          \
    }
