/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 2-bit activations, bit-serial, Harley-Seal over chains of 32 steps: bit_serial_chain.h, where the register map is. For
 * each of 4 pairs of planes 2 blocks of 82; a pair 11, a level 9, a group 20: 747 uops of arithmetic for 8192 weights, and 128
 * loads that broadcast.
 * Golden Cove: 747 on three ports, 34 of them on p15: 249.0 cycles, 0.973 per output vector. Zen 3: 747 on four pipes, 0.729.
 * 893 uops issued: 747 of arithmetic, 128 loads, 18 registers zeroed or moved.
 */
#define FORMAT           "w2a2"
#define SEQUENCE         "chain"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  2
#define REGISTERS        32
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       893
#define GROUP_VECTORS    256
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
