/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations, bit-serial, VPOPCNTDQ: the AVX-512 rendering of [apt-llm, III-B]. For each of 12
 * pairs of planes and each of 4 registers 1 XOR, 1 vpopcntq, 1 add; a pair: 1 shift, 1 add; a group: 2. 157 uops for
 * 2048 weights.
 * Golden Cove at 512 bits: 157 on p05, 48 of them on p5 only, 12 shifts on p0: 78.5 cycles, 1.227 per output vector.
 * Register map: bit_serial_popcount.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  4
#define REGISTERS        4
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       157
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     768
#define ACTIVATION_BYTES 1024
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_popcount.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
