/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 2-bit activations, the second stage of the paper's ablation [apt-llm, IV-B, Fig. 15]: the block of a2_basic, but all
 * pairs of planes of it meet in registers, so that results go to memory once, and the next block's weights are fetched while this
 * one is multiplied (the paper's second buffer). The third stage, a2_popcount, has the block that a search found.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#define ACTIVATION_BITS 2
#include "micro/families/bit_serial/bit_serial_avx512.h"

BITS_VARIANT(1, 4, unsearched, UINT32_MAX)

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "apt-llm",
    .differs = "for CPUs and with our prefetch, where its original is for GPUs",
    .gamma = "w1.a2_popcount.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemm = {BITS_GEMM(bits_run_unsearched)},
};
