/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.carry_save.avx512_vpopcntdq. Of each three registers x, y, z of a plane, both sides hold the running
 * exclusive ors x, x ^ y, x ^ y ^ z, coded so when they are packed. Three exclusive ors of weights with activations are
 * then
 *
 *     a = x ^ x',   b = a ^ (y ^ y'),   c = b ^ (z ^ z'),
 *
 * where c is the sum bit of the three differences and b ? ~c : a their carry: one vpternlogq is a full adder. 4 logical
 * operations, 2 counts and 2 adds count three registers, where one by one it takes 3, 3 and 3. Counts are added by
 * level, all that counts for 2^l, and shifted once a level [apt-llm, III-B, data recovery].
 *
 *   zmm0-3 accumulators   zmm4 sum of the levels   zmm5, zmm6 counts of this level and of the next, in turns
 *   zmm7-9 differing bits, counts   zmm10-31 (or fewer) weights
 */
#include "micro/families/bit_serial/bit_serial_frame.h"

#ifdef __ASSEMBLER__
/* the first chooses between not the second and the third */
#define CHOOSE 0x3a

.macro load_constants
.endm

.macro dot_into number, source
    vpsubd zmm\number, zmm\number, \source
.endm

.macro tally into, bits, first
    .if \first
    vpopcntq zmm\into, zmm\bits
    .else
    vpopcntq zmm\bits, zmm\bits
    vpaddq zmm\into, zmm\into, zmm\bits
    .endif
.endm

.macro add_three i, j, r
    differ 7, \i, \j, \r
    differ 8, \i, \j, %(\r + 1)
    differ 9, \i, \j, %(\r + 2)
    vpternlogq zmm8, zmm9, zmm7, CHOOSE
    tally %(5 + (\i + \j) % 2), 9, %(level_is_empty)
    .set level_is_empty, 0
    tally %(6 - (\i + \j) % 2), 8, %(next_is_empty)
    .set next_is_empty, 0
.endm

.macro pair i, j
    .set register_number, 0
    .rept REGISTERS / 3
    add_three \i, \j, %(register_number)
    .set register_number, register_number + 3
    .endr
.endm

/* pairs come by level; the counts of one are complete when the next begins */
.macro level_begins level
    .if \level
    close_level %(\level - 1), %(6 - \level % 2)
    .set level_is_empty, 0
    .else
    .set level_is_empty, 1
    .endif
    .set next_is_empty, 1
.endm

.macro close_level level, register
    .if \level
    vpsllq zmm\register, zmm\register, \level + 1
    vpaddq zmm4, zmm4, zmm\register
    .else
    vpsllq zmm4, zmm\register, 1
    .endif
.endm

.macro group
    pairs
    level_begins %(WEIGHT_BITS + ACTIVATION_BITS - 1)
    close_level %(WEIGHT_BITS + ACTIVATION_BITS - 1), %(5 + (WEIGHT_BITS + ACTIVATION_BITS - 1) % 2)
    vpsubd zmm4, zmm4, [rip + .Lelements]
    dot zmm4
.endm
#endif
