/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8-bit weights, 8-bit activations, bit-serial, VPOPCNTDQ: the AVX-512 rendering of [apt-llm, III-B]. For each of 64
 * pairs of planes and each of 3 registers 1 XOR, 1 vpopcntq, 1 add; a level: 2 adds, 1 shift; a group: 2. 623 uops of arithmetic
 * for 1536 weights.
 * Golden Cove at 512 bits: 623 on p05, 192 of them on p5 only, 15 shifts on p0: 311.5 cycles, 6.490 per output vector.
 * 654 uops issued: 623 of arithmetic, 31 registers zeroed. Register map: bit_serial_levels.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      8
#define ACTIVATION_BITS  8
#define REGISTERS        3
#define BYTES            32.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       654
#define GROUP_VECTORS    48
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     1536
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
