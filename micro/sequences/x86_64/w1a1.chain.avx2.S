/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 1-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 1 pair of planes 4 blocks of 82; a pair 11, a level 9, a group 20: 368 uops of arithmetic for 16384 weights, and 64
 * loads that broadcast.
 * Golden Cove: 368 on three ports, 16 of them on p15: 122.7 cycles, 0.240 per output vector. Zen 3: 368 on four pipes, 0.180.
 * 438 uops issued: 368 of arithmetic, 64 loads, 6 registers zeroed or moved.
 */
#define FORMAT           "w1a1"
#define SEQUENCE         "chain"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  1
#define REGISTERS        64
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       438
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     2048
#define ACTIVATION_BYTES 512
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_chain.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    chain_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, sum);
}
#endif
