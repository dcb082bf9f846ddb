/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_DEVICE_KERNEL_H
#define MICRO_DEVICE_KERNEL_H

#include "micro/kernel.h"

/**
 * A kernel for OpenCL devices: the step of a format in OpenCL C and a row "opencl" of the format's kernels.def. Two frames of micro/opencl follow the
 * step: product.cl multiplies one token or many, gamma.cl times the step alone. A kernel multiplies the same packed matrices as those of CPUs, and its
 * definition is theirs: int8 activations and exact int32 where weights are integers, else f32. With ACTIVATION_BITS it is that of bit planes: f32,
 * which are quantized to planes on the host. With BF16 it is that of int2_vnni16's bf16_operand.h: BF16, which are quantized on the device.
 *
 * A step reads one piece of a panel, scales as floats, and adds to the sums of a work-item. It is text after micro/opencl/vector.h, and of integers dot.h, that
 * defines
 *
 *     PIECE_COLUMNS                                    columns of a piece; divides the columns of a step of the format
 *     piece_t load(panel, piece, item)                 item < ITEMS, the work-items that read a piece side by side
 *     SUMS, sum_t                                      sums of a work-item and token, which begin as 0
 *     void multiply(loaded, piece, activations, sums)  activations of a token, in the memory that vector.h calls OPERAND
 *     piece_t turn(loaded, by)                         other codes, the same for one `by`: for gamma alone
 *     RESULTS, void results(sums, y)                   what a work-item has of rows of its panel
 *     ROW_OF(item, r)                                  the row of result r
 *     FINISH(all, t)                                   from all sums of a row to the result of token t, where that is not SPACING * all + its correction
 *     OPERAND_HEAD, OPERAND_PIECE                      elements of a token before its first piece, and of a piece; where they are not 0 and PIECE_COLUMNS
 *     STATE(t)                                         a float that multiply() takes of a token besides, before sums
 *     STAGE(from, state)                               four activations as a word of bytes, which multiply() finds in local memory instead of them
 *     void dequantize(loaded, buffer), multiply_buffered(buffer, piece, activations, sums)     where its row says BUFFERED
 *     float largest(values, columns, first, step)      where its row says FINDS; kernel pass(...), which is launched before, where it says PASS
 *
 * and macros of its row say LANES (1 where absent), from WIDTH_LEAST (1) to WIDTH_MOST (1) of which a work-item takes as one vector of WIDTH, so that
 * ITEMS is LANES / WIDTH, or 1; SPACING (1), by which a sum of codes is multiplied; AHEAD, with which a piece is loaded while the one before it is
 * multiplied; and ONLY, the one variant in which a GEMM is launched (harness/cells/device/device_variant.c).
 */
struct device_kernel {
    const char *name;   /* "int2_vnni4.mask.opencl" */
    const char *source; /* embedded file */
    const char *macros; /* "LANES=8 PLANES=4" */
};

/** In name order; ends with a NULL name. */
extern const struct device_kernel device_kernels[];

const struct format *device_kernel_format(const struct device_kernel *kernel);

/** The value of a macro of its row, or what it is where the row has none. */
uint32_t device_kernel_macro(const struct device_kernel *kernel, const char *macro, uint32_t otherwise);

/** What it must give, as a kernel that nobody can run: for reference_rows() and format_accepts(). */
struct kernel device_kernel_definition(const struct device_kernel *kernel);

#endif
