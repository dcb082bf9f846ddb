/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-up. The tables of a long K do not stay in L1 beside the weights that stream through it; eight registers of weights
 * share each load of them. Weights are prefetched into L2 alone, which takes less time from memory on Zen 4, with tables that leave room in L1, too.
 *
 *   zmm0-15 sums of 4 panels: low and high of rows 0-15, of rows 16-31
 *   zmm20, zmm21 tables of the low nibbles, low and high bytes   zmm22, zmm23 of the high nibbles
 *   the others: int1_nibbles.lookup.avx512_vbmi_vnni.inc
 */
#define INTERLEAVE    4
#define SUMS          4
#define OPERAND_BYTES 256
#define VECTOR_IS_ZMM
#define MICROKERNEL_FETCH prefetcht1
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int1_nibbles/int1_nibbles.lookup.avx512_vbmi_vnni.inc"

.macro load_constants
    step_constants edi
.endm

.macro operand address
    vmovdqa64 zmm20, [\address]
    vmovdqa64 zmm21, [\address + 64]
    vmovdqa64 zmm22, [\address + 128]
    vmovdqa64 zmm23, [\address + 192]
.endm

.macro half base, address
    vmovdqu64 zmm31, [\address]
    dots_into \base, 2
    group_of zmm20, zmm21, zmm22, zmm23
.endm

.macro step base, address
    half \base, \address
    half %(\base + 2), \address + 64
.endm

    microkernel_functions

#endif
