/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 8-bit activations, bit-serial, Harley-Seal over chains of 16 steps: bit_serial_chain.h, where the register map is. For
 * each of 24 pairs of planes 1 block of 82; a pair 11, a level 9, a group 20: 2342 uops of arithmetic for 4096 weights, and 384
 * loads that broadcast.
 * Golden Cove: 2342 on three ports, 120 of them on p15: 780.7 cycles, 6.099 per output vector. Zen 3: 2342 on four pipes, 4.574.
 * 2805 uops issued: 2342 of arithmetic, 384 loads, 79 registers zeroed or moved.
 */
#define FORMAT           "w3a8"
#define SEQUENCE         "chain"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  8
#define REGISTERS        16
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       2805
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     1536
#define ACTIVATION_BYTES 1024
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
