/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 2-bit activations, bit-serial, nibble look-ups: the AVX2 rendering of [apt-llm, III-B]. For each of 2
 * pairs of planes and each of 8 registers 1 XOR, 2 ANDs, 1 shift, 2 shuffles, 2 adds; a pair: 1 vpsadbw, 1 shift, 1
 * add; a group: 2. 133 uops for 2048 weights.
 * Golden Cove: 18 on p01, 32 on p15, 2 on p5, 81 anywhere: 133 on three ports, 0.69 cycles per output vector. Zen 3:
 * 133 on four pipes, 0.52. Register map: bit_serial_nibble.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  2
#define REGISTERS        8
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       133
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 512
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
