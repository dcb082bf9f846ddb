/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 2-bit activations, bit-serial, Harley-Seal over chains of 16 steps: bit_serial_chain.h, where the register map is. For
 * each of 6 pairs of planes 1 block of 82; a pair 11, a level 9, a group 20: 614 uops of arithmetic for 4096 weights, and 96
 * loads that broadcast.
 * Golden Cove: 614 on three ports, 36 of them on p15: 204.7 cycles, 1.599 per output vector. Zen 3: 614 on four pipes, 1.199.
 * 735 uops issued: 614 of arithmetic, 96 loads, 25 registers zeroed or moved.
 */
#define FORMAT           "w3a2"
#define SEQUENCE         "chain"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  2
#define REGISTERS        16
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       735
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     1536
#define ACTIVATION_BYTES 256
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
