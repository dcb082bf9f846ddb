/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_read.h"

#include <stdio.h>
#include <string.h>

static double no_weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)panel, (void)k, (void)row, (void)column;
    return 0;
}

/** What such kernels are told from others by. */
static void no_gemv(const struct gemv_slice *slice)
{
    memset(slice->out_f32, 0, slice->panels * sizeof *slice->out_f32);
}

void decode_read_describe(struct decode_read *read, const char *type, uint32_t block_columns, uint32_t block_bytes)
{
    *read = (struct decode_read){.format = {.name = type,
                                            .bits = 8.0 * block_bytes / block_columns,
                                            .rows_per_panel = 1,
                                            .k_per_step = block_columns,
                                            .step_bytes = block_bytes,
                                            .k_multiple = block_columns,
                                            .max_k = UINT32_MAX,
                                            .weight = no_weight},
                                 .kernel = {.sequence = "read",
                                            .isa = "reference",
                                            .origin = "none",
                                            .takes = KERNEL_TAKES_F32,
                                            .gives = KERNEL_GIVES_F32,
                                            .float_sums = KERNEL_FLOAT_SUMS_LEAST,
                                            .whole_panels = true,
                                            .gemv = no_gemv}};
    snprintf(read->name, sizeof read->name, "%s.read", type);
    read->kernel.name = read->name;
    read->kernel.format = &read->format;
}

bool decode_is_read(const struct kernel *kernel)
{
    return kernel->gemv == no_gemv;
}

void decode_read_member(struct gemv *gemv, unsigned member, const struct decode_reader *reader)
{
    const struct gemv_member *own = &gemv->members[member];
    size_t rows = own->part.end - own->part.first;
    reader->read(reader->context, own->weights, rows * gemv->unit_bytes);
    memset(gemv->y_f32 + own->part.first, 0, rows * sizeof *gemv->y_f32);
}
