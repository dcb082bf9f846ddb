/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of blocks of 32 nibbles of four or eight rows, interleaved in chunks of four or eight bytes, four panels side by side as they are stored:
 * block32_chunks_256.h, with registers of 512 bits block32_chunks_512.h. Of q4_0 a bit of each code is turned back, which makes it unsigned; codes
 * of iq4_nl are looked up in a register.
 */
#include "micro/of_self.h"

/* A row names the format whose codes these are. */
#include OF_SELF_PATH(micro/formats/CODES_OF/codes.h)

#ifdef __AVX512F__
#include "micro/families/block32/block32_chunks_512.h"
#else
#include "micro/families/block32/block32_chunks_256.h"
#endif

const struct kernel SELF = CHUNKS_KERNEL;

#include "micro/frames/gamma.h"
