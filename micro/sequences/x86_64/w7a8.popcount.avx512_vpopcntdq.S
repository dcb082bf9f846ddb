/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 7-bit weights, 8-bit activations, bit-serial, VPOPCNTDQ: the AVX-512 rendering of [apt-llm, III-B]. For each of 56
 * pairs of planes and each of 3 registers 1 XOR, 1 vpopcntq, 1 add; a level: 2 adds, 1 shift; a group: 2. 548 uops of arithmetic
 * for 1536 weights.
 * Golden Cove at 512 bits: 548 on p05, 168 of them on p5 only, 14 shifts on p0: 274.0 cycles, 5.708 per output vector.
 * 577 uops issued: 548 of arithmetic, 29 registers zeroed. Register map: bit_serial_levels.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      7
#define ACTIVATION_BITS  8
#define REGISTERS        3
#define BYTES            28.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       577
#define GROUP_VECTORS    48
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     1344
#define ACTIVATION_BYTES 1536
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_levels.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
