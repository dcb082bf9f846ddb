/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_GEMM_SLICE_H
#define MICRO_GEMM_SLICE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Some panels of a packed matrix W (M x K), multiplied with some tokens X (N x K), and where the results go:
 *
 *     out[token][row] = sum_k W[row][k] X[token][k]
 *
 * in units of the token's scale where activations are int8. All panels have all their columns; threads share the panels
 * among them, and tokens where there are fewer panels than threads.
 */
struct gemm_slice {
    const uint8_t *weights; /* the first panel; aligned to 64, or to what divides a panel */
    size_t panels;          /* consecutive, panel_bytes apart, > 0 */
    size_t panel_bytes;
    size_t k;      /* columns, padded to whole steps of the format */
    size_t tokens; /* > 0; 0 for a kernel that unpacks_alone, whose operands and results are then NULL */
    union {        /* [tokens][activations_stride], readable to a multiple of 64 bytes past k; zero past K */
        const int8_t *activations;
        const float *activations_f32;
    };
    size_t activations_stride;  /* elements from one token to the next; a multiple of 64 bytes, >= k */
    const void *prepared;       /* what gemm.prepare_many() made of them: whole groups; NULL without it */
    const float *scales;        /* [tokens]; of kernels that give int32, to multiply with; NULL of others */
    const int32_t *corrections; /* [tokens]; of kernels that give int32, added before that; NULL of others */
    float *out;        /* [tokens][out_stride], of which panels * rows_per_panel are overwritten; aligned to 64, or
                                   to rows_per_panel * 4 if that is less */
    size_t out_stride; /* floats from one token to the next; a multiple of 16 */
    void *scratch;     /* gemm.scratch_bytes(k, tokens) bytes of this thread alone, 64-byte aligned, of any contents */
    size_t prefetch_bytes; /* distance of the software prefetch of weights; 0 for none */
};

#endif
