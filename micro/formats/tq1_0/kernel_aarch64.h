/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What kernels of TQ1_0 on aarch64 share, after block_rows.h.
 */
static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};
