/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 6-bit weights, 6-bit activations, bit-serial, VPOPCNTDQ: the AVX-512 rendering of [apt-llm, III-B]. For each of 36
 * pairs of planes and each of 4 registers 1 XOR, 1 vpopcntq, 1 add; a level: 2 adds, 1 shift; a group: 2. 467 uops of arithmetic
 * for 2048 weights.
 * Golden Cove at 512 bits: 467 on p05, 144 of them on p5 only, 11 shifts on p0: 233.5 cycles, 3.648 per output vector.
 * 490 uops issued: 467 of arithmetic, 23 registers zeroed. Register map: bit_serial_levels.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      6
#define ACTIVATION_BITS  6
#define REGISTERS        4
#define BYTES            24.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       490
#define GROUP_VECTORS    64
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
