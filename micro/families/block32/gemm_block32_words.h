/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile of gemm_block32_256.h or gemm_block32_avx512_vnni.h, as the registers are, of codes whose block AVX2 can add up in words. The including .c
 * defines before it what these say.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_WORDS_H
#define MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_WORDS_H

#ifdef __AVX512F__
#include "micro/families/block32/gemm_block32_avx512_vnni.h"
#elif defined __AVXVNNI__
#include "micro/isa/products_avx_vnni.h"

#include "micro/families/block32/gemm_block32_256.h"
#else
#include "micro/families/blocks/products_words_avx2.h"

#include "micro/families/block32/gemm_block32_256.h"
#endif

#endif
