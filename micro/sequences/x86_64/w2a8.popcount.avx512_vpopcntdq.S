/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 8-bit activations, bit-serial, VPOPCNTDQ: the AVX-512 rendering of [apt-llm, III-B]. For each of 16
 * pairs of planes and each of 8 registers 1 XOR, 1 vpopcntq, 1 add; a pair: 1 shift, 1 add; a group: 2. 401 uops for
 * 4096 weights.
 * Golden Cove at 512 bits: 401 on p05, 128 of them on p5 only, 16 shifts on p0: 200.5 cycles, 1.566 per output vector.
 * Register map: bit_serial_popcount.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  8
#define REGISTERS        8
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       401
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     1024
#define ACTIVATION_BYTES 4096
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
