/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 2-bit activations, bit-serial, Harley-Seal: [apt-llm, III-B] on AVX2 with carry-save adders, so that 5
 * registers of bits are counted in place of 12. 12 XORs, 7 full adders of 5, 3 half adders of 2, 5 counts of 7; 91
 * uops of arithmetic and 5 loads of tables for 1536 weights. With 16 registers the trees are short: that bounds the
 * gain over nibble look-ups of each XOR.
 * Golden Cove: 6 on p01, 10 on p15, 1 on p5, 74 anywhere: 91 on three ports, 0.63 cycles per output vector. Zen 3: 91
 * on four pipes, 0.47. Register map: bit_serial_carry.h. 96 uops issued: 91 of arithmetic, 5 loads.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  2
#define REGISTERS        6
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_VECTORS    48
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     192
#define ACTIVATION_BYTES 384
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_carry.h"

#ifdef __ASSEMBLER__
/* level 0: 6 exclusive ors, level 1: 6 and 3 carries */
.macro group
    differ 3, 0, 0, 0
    differ 4, 0, 0, 1
    differ 9, 0, 0, 2
    full 3, 4, 9
    differ 5, 0, 0, 3
    differ 9, 0, 0, 4
    full 3, 5, 9
    differ 6, 0, 0, 5
    half 3, 6
    count 2, 0, 3
    differ 3, 0, 1, 0
    differ 9, 0, 1, 1
    full 3, 4, 9
    differ 9, 0, 1, 2
    full 3, 5, 9
    differ 9, 0, 1, 3
    full 3, 6, 9
    differ 7, 0, 1, 4
    differ 9, 0, 1, 5
    full 3, 7, 9
    count 3, 1, 2
    full 4, 5, 6
    half 4, 7
    count 2, 2, 4
    half 5, 7
    count 2, 3, 5
    count 7, 4, 5
    widen 3, 0
    finish 3
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
