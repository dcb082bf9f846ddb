/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of interleaved rows of blocks of 32 columns on aarch64, as they are stored (block32_panels_aarch64.h): of q4_0 [arm-kernels-codebooks, 4.1.2, Fig. 4],
 * of iq4_nl, whose codes tbl looks up [arm-kernels-codebooks, 6.3], and of q8_0_m16, whose bytes are 128 more than the weight: turning their upper bit over
 * makes them signed.
 *
 * Rows interleaved by four bytes: a lane is a row, and the activations come by element; of q4_0 21 uops for a block of four rows, of which 8 sdot. A register
 * of SVE has eight rows of sixteen, or of four two times four columns. Without dot products activations of four columns are brought to every row, and products of
 * two of them added in 16 bits.
 *
 * By eight bytes, as cores with smmla need them for more tokens [arm-kernels-codebooks, 4.2], times one: a register has two words of each of two rows, and one
 * addition of neighbours more joins them; eight rows are twice four. A register of SVE has two words of each of four rows. Without dot products eight
 * products of a row, of both nibbles of its bytes, are added in 16 bits, and neighbours at the end of the block.
 */
#include "micro/of_self.h"

#ifdef IS_RENDERED /* a kernel of the paper, in our words */
#define SELF_DIFFERS  "with our prefetch; not measured beside its original, as nothing of aarch64 is"
#define KERNEL_ORIGIN "arm-kernels-codebooks"
#endif

/* A row names the format whose codes these are. */
#include OF_SELF_PATH(micro/formats/CODES_OF/codes_aarch64.h)

#include "micro/families/block32/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
