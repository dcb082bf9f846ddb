/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of look-up kernels of 64 rows, exact, 512 bits: a step of microkernel_frame.h, whose arithmetic is that of
 * micro/families/lookup/lookup_digits.avx512_vbmi_vnni.inc.
 *
 * The operand of a step is its tables, loaded for each panel again: a plain load of 16 or 32 bytes needs no vector port, and of
 * the INTERLEAVE panels that read a table only the first may miss the first-level cache.
 *
 * The kernel's .S defines STEP_BYTES, OPERAND_BYTES and, where a step is several of the format's, STEPS_TOGETHER, then includes this and, for the
 * assembler, the step of its sequence, and defines `load_constants` and `step`.
 *
 *   zmm0-15 sums of 4 panels   zmm26, zmm27 weights   zmm28-31 tables   the others are the sequence's
 */
#define INTERLEAVE 4
#define SUMS       4
#define ROWS       64
#define VECTOR_IS_ZMM
#define STEP_FETCHES
#define STEP_REACH 4

#ifndef __ASSEMBLER__
#include "micro/families/lookup/lookup_digits.h"
#ifdef STEPS_TOGETHER
#define MICROKERNEL_STEPS(slice) ((slice)->steps / STEPS_TOGETHER)
#endif
#endif

#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__
/* Either alone is slower: to the first level only few lines can be on their way, and what is in the second is still far. */
.macro fetch near:req, far:req
    prefetcht0 [\near]
    prefetcht1 [\far]
.endm
#endif
