/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of planes, the fields of a byte: sdot (mask) of fields in their place or shifted down, usdot (prefix) of their prefix sums. A register holds a
 * field of four rows and four columns, with SVE of eight rows: two of Neon the eight rows of int2_vnni4 and of int1_planes_m8, whose step is columns
 * 0-3, then 4-7, four the sixteen of int4_vnni4.
 *
 *   v0-15 or z0-15 sums: two panels of Neon, four of SVE, of int1_planes_m8 one and two   the others: planes_aarch64.inc
 */
#include "micro/of_self.h"

#define REGISTERS     (SUMS / PLANES) /* of four columns */
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#ifdef VECTOR_IS_SVE256
.macro load_constants
    ptrue p0.b
    step_constants
.endm

.macro operand address
    mov x17, \address
.endm

.macro activations column
    ld1rw {z18.s}, p0/z, [x17, 4 * \column]
.endm
#else
#define ACTIVATIONS v18.4b[activation_column]

.macro load_constants
    step_constants
.endm

.macro operand address
    .if STEP_COLUMNS == 8
    ldr d18, [\address]
    .else
    ldr s18, [\address]
    .endif
.endm

.macro activations column
    .set activation_column, \column
.endm
#endif

#include OF_ISA(micro/isa/dot)
#include "micro/families/planes/planes_aarch64.inc"

.macro part base, address, number
    load_weights \address, VECTOR_BYTES * \number
    .if \number / REGISTERS * REGISTERS == \number
    activations %(\number / REGISTERS)
    dots_into \base, SUMS
    .endif
    group
.endm

.macro step base, address
    part \base, \address, 0
    part \base, \address, 1
    .if VECTOR_BYTES == 16
    part \base, \address, 2
    part \base, \address, 3
    .endif
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

/* The topmost field is shifted down, if it is not multiplied unsigned. */
#define SHIFT(plane) (PREFIX || (plane) < PLANES - 1 ? 8 / PLANES * (plane) : 0)
#define FOUR_SHIFTS(plane) SHIFT(plane), SHIFT(plane + 1), SHIFT(plane + 2), SHIFT(plane + 3)
#if PLANES == 8
#define SHIFTS FOUR_SHIFTS(0), FOUR_SHIFTS(4)
#else
#define SHIFTS FOUR_SHIFTS(0)
#endif

/* A bit is u = (w + 1) / 2. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {SHIFTS};
    finish_registers(raw, REGISTERS, PLANES, LANES, shift, PREFIX, PLANES == 8 ? 2 : 1, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_MODEL,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};

#endif
