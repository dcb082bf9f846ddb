/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What kernels of rows as they are stored share on every architecture, after block_rows.h.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_KERNEL_H
#define MICRO_FORMATS_IQ2_S_STANDIN_KERNEL_H

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

#ifndef SELF_DIFFERS /* of a rendering */
#define SELF_DIFFERS NULL
#endif

/** A kernel which adds a float a block to 8 lanes or more; prefetched: prefetch_bytes. */
#define IQ2_S_KERNEL(prefetched)                                                                                       \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .differs = SELF_DIFFERS, .prefetch_bytes = (prefetched), .takes = KERNEL_TAKES_F32,   \
        .gives = KERNEL_GIVES_F32, .float_sums = 256, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                     \
        .prepared_bytes_per_step = sizeof(struct q8_256), .prepare = prepare, .row = block_row                         \
    }

#endif
