/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a GEMM of 16 interleaved rows of blocks of 32 columns reads, as q4_0_m16 draws them: sizes of its blocks and the activations, for
 * any instruction set. The including file says
 *
 *   GEMM_TOKENS, GEMM_BLOCK_BYTES   as gemm_blocks.h wants them
 *   GEMM_LINES                      64 bytes each, of four columns (8) or, in nibbles, of four and the 16 columns on (4)
 *   CODE_OFFSET                     how much more than its weight a code is when it is multiplied
 */
#ifndef MICRO_KERNELS_GEMM_BLOCK32_OPERAND_H
#define MICRO_KERNELS_GEMM_BLOCK32_OPERAND_H

#include <stdint.h>
#include <string.h>

#include "micro/kernels/q8_avx2.h"

#define GEMM_COLUMNS 32
#if GEMM_BLOCK_BYTES /* in scratch codes are aligned */
#define GEMM_PANEL_BYTES (64 + 64 * GEMM_LINES)
#define GEMM_PANEL_LEAD  32
#else
#define GEMM_PANEL_BYTES (32 + 64 * GEMM_LINES)
#endif

/** 32 columns of a group of tokens. */
struct gemm_operand {
    int8_t q[GEMM_TOKENS][32];
    int32_t offset[GEMM_TOKENS]; /* -CODE_OFFSET times the sum of q: what makes codes weights */
    float scale[GEMM_TOKENS];
};

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    struct q8_32 q8;
    q8_32_make(x, 32, &q8);
    memcpy(to->q[token], q8.q, sizeof q8.q);
    to->offset[token] = -CODE_OFFSET * q8.sum;
    to->scale[token] = q8.scale;
}

#endif
