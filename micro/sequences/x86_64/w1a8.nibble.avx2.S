/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 8-bit activations, bit-serial, nibble look-ups: the AVX2 rendering of [apt-llm, III-B]. For each of 8
 * pairs of planes and each of 8 registers 1 XOR, 2 ANDs, 1 shift, 2 shuffles, 2 adds; a pair: 1 vpsadbw, 1 shift, 1
 * add; a group: 2. 529 uops for 2048 weights.
 * Golden Cove: 72 on p01, 128 on p15, 8 on p5, 321 anywhere: 529 on three ports, 2.76 cycles per output vector. Zen 3:
 * 529 on four pipes, 2.07. Register map: bit_serial_nibble.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  8
#define REGISTERS        8
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       529
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 2048
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_nibble.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
