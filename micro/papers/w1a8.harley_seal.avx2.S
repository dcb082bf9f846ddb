/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 8-bit activations, bit-serial, Harley-Seal: [apt-llm, III-B] on AVX2 with carry-save adders, so that
 * 10 registers of bits are counted in place of 32. 32 XORs, 22 full adders of 5, 2 half adders of 2, 10 counts of 7;
 * 221 uops of arithmetic and 10 loads of tables for 1024 weights. With 16 registers the trees are short: that bounds
 * the gain over nibble look-ups of each XOR.
 * Golden Cove: 12 on p01, 20 on p15, 2 on p5, 187 anywhere: 221 on three ports, 2.30 cycles per output vector. Zen 3:
 * 221 on four pipes, 1.73. Register map: bit_serial_carry.h. 231 uops issued: 221 of arithmetic, 10 loads.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  8
#define REGISTERS        4
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 1024
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_carry.h"

#ifdef __ASSEMBLER__
/* 4 exclusive ors and 3 carries give a sum and 3 carries */
.macro level j
    differ 3, 0, \j, 0
    differ 9, 0, \j, 1
    full 3, 4, 9
    differ 9, 0, \j, 2
    full 3, 5, 9
    differ 9, 0, \j, 3
    full 3, 6, 9
    count 3, \j, 2
.endm

.macro group
    differ 3, 0, 0, 0
    differ 4, 0, 0, 1
    differ 9, 0, 0, 2
    full 3, 4, 9
    differ 5, 0, 0, 3
    half 3, 5
    count 2, 0, 3
    differ 3, 0, 1, 0
    differ 9, 0, 1, 1
    full 3, 4, 9
    differ 9, 0, 1, 2
    full 3, 5, 9
    differ 6, 0, 1, 3
    half 3, 6
    count 2, 1, 3
    level 2
    level 3
    level 4
    widen 8, 0
    level 5
    level 6
    level 7
    full 4, 5, 6
    count 4, 8, 2
    count 5, 9, 2
    widen 1, 5
    vpaddd ymm1, ymm1, ymm8
    finish 1
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
