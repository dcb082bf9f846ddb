/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A GEMM of blocks of 32 columns on x86-64: gemm_block32_256.h, or with registers of 512 bits gemm_block32_avx512_vnni.h. Blocks of 16 interleaved rows
 * are read as they are stored; rows one by one, and four or eight interleaved ones, are brought into that order in scratch. The including .c includes
 * before it the codes.h of its format, and a lane_scales.h where scales are no halves.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_H
#define MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_H

#define GEMM_BLOCK_BYTES (BLOCK_ROWS == 16 ? 0 : BLOCK_BYTES)
#ifndef GEMM_LINES
#define GEMM_LINES (BLOCK_BYTES < 32 * BLOCK_ROWS ? 4 : 8) /* of nibbles, of bytes */
#endif
#if defined GEMM_TILES_LENT || defined GEMM_TILES_BORROWED /* of panels as they are stored, and of those in scratch */
#define GEMM_PANELS_DIFFER 1
#endif

#if BLOCK_ROWS == 1
#include "micro/families/block32/gemm_interleave_block32.h"
#elif BLOCK_ROWS < 16
#include "micro/families/block32/gemm_interleave_chunks.h"
#endif

#ifdef __AVX512F__
#include "micro/families/block32/gemm_block32_avx512_vnni.h"
#else
#include "micro/families/block32/gemm_block32_256.h"
#endif

#endif
