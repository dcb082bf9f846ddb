/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a GEMM of q4_0_m16 reads: sizes of its blocks and the activations, for any instruction set. The including file says
 * GEMM_TOKENS and GEMM_BLOCK_BYTES.
 */
#ifndef MICRO_KERNELS_Q4_0_M16_GEMM_OPERAND_H
#define MICRO_KERNELS_Q4_0_M16_GEMM_OPERAND_H

#include <stdint.h>
#include <string.h>

#include "micro/kernels/q8_avx2.h"

#define GEMM_COLUMNS 32
#if GEMM_BLOCK_BYTES /* in scratch codes are aligned */
#define GEMM_PANEL_BYTES 320
#define GEMM_PANEL_LEAD  32
#else
#define GEMM_PANEL_BYTES 288
#endif

/** 32 columns of a group of tokens. */
struct gemm_operand {
    int8_t q[GEMM_TOKENS][32];
    int32_t offset[GEMM_TOKENS]; /* -8 times the sum of q: what makes codes weights */
    float scale[GEMM_TOKENS];
};

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    struct q8_32 q8;
    q8_32_make(x, 32, &q8);
    memcpy(to->q[token], q8.q, sizeof q8.q);
    to->offset[token] = -8 * q8.sum;
    to->scale[token] = q8.scale;
}

#endif
