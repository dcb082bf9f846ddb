/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 2-bit activations, bit-serial, nibble look-ups: the AVX2 rendering of [apt-llm, III-B]. For each of 4
 * pairs of planes and each of 4 registers 1 XOR, 2 ANDs, 1 shift, 2 shuffles, 2 adds; a pair: 1 vpsadbw, 1 shift, 1
 * add; a group: 2. 137 uops for 1024 weights.
 * Golden Cove: 20 on p01, 32 on p15, 4 on p5, 81 anywhere: 137 on three ports, 1.43 cycles per output vector. Zen 3:
 * 137 on four pipes, 1.07. Register map: bit_serial_nibble.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  2
#define REGISTERS        4
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       137
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     256
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
