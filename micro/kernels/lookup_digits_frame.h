/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of look-up kernels of 64 rows, exact, 512 bits: a step of microkernel_frame.h. Look-ups are two signed digits,
 * sum = base * h + l, added up as bytes, at most 8 of each. Where two pairs of such sums are full, l h and l' h' of the 64
 * rows are unpacked to the four bytes of 16 rows, and vpdpbusd with 1, base, 1, base makes 32-bit sums of them: 12 uops for
 * 32 look-ups and no 16 bits that overflow every few groups.
 *
 * The operand of a step is its tables, loaded for each panel again: a broadcast of 16 or 32 bytes needs no vector port, and of
 * the INTERLEAVE panels that read a table only the first may miss the first-level cache.
 *
 * The kernel's .S defines STEP_BYTES, OPERAND_BYTES, DIGITS (bytes 1, base, ... as a 32-bit number), then includes this and
 * defines `step`. Sum s, lane d is row 16 (d / 4) + 4 s + d % 4.
 *
 *   zmm0-15 sums of 4 panels   zmm16-19 l, h, l', h'   zmm20 digits   zmm21 mask 0x0f   zmm22 signs   zmm23-31 temporaries
 */
#define INTERLEAVE        4
#define SUMS          4
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_FETCHES
#include "micro/kernels/microkernel_frame.h"

.macro load_constants
    mov edi, DIGITS
    vpbroadcastd zmm20, edi
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm21, edi
.endm

/* Either alone is slower: to the first level only few lines can be on their way, and what is in the second is still far. */
.macro fetch near:req, far:req
    prefetcht0 [\near]
    prefetcht1 [\far]
.endm

/* is_first: nothing to add to yet */
.macro find low, high, index, is_first
    .if \is_first
    vpermb \low, \index, zmm28
    vpermb \high, \index, zmm29
    .else
    vpermb zmm30, \index, zmm28
    vpermb zmm31, \index, zmm29
    vpaddb \low, \low, zmm30
    vpaddb \high, \high, zmm31
    .endif
.endm

.macro add_digits sum, digits
    vpdpbusd zmm\sum, zmm20, \digits
.endm

.macro add_all_digits base
    vpunpcklbw zmm24, zmm16, zmm17
    vpunpcklbw zmm25, zmm18, zmm19
    vpunpckhbw zmm26, zmm16, zmm17
    vpunpckhbw zmm27, zmm18, zmm19
    vpunpcklwd zmm28, zmm24, zmm25
    vpunpckhwd zmm29, zmm24, zmm25
    vpunpcklwd zmm30, zmm26, zmm27
    vpunpckhwd zmm31, zmm26, zmm27
    add_digits %(\base), zmm28
    add_digits %(\base + 1), zmm29
    add_digits %(\base + 2), zmm30
    add_digits %(\base + 3), zmm31
.endm
