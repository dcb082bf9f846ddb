/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations, bit-serial, nibble look-ups: the AVX2 rendering of [apt-llm, III-B]. For each of 12
 * pairs of planes and each of 2 registers 1 XOR, 2 ANDs, 1 shift, 2 shuffles, 2 adds; a pair: 1 vpsadbw, 1 shift, 1
 * add; a group: 2. 217 uops for 512 weights.
 * Golden Cove: 36 on p01, 48 on p15, 12 on p5, 121 anywhere: 217 on three ports, 4.52 cycles per output vector. Zen 3:
 * 217 on four pipes, 3.39. Register map: bit_serial_nibble.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  4
#define REGISTERS        2
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       217
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     192
#define ACTIVATION_BYTES 256
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
