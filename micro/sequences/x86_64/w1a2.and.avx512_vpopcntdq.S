/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 2-bit activations, bit-serial, VPOPCNTDQ, as products of unsigned integers: w1a2.popcount with ands. For each of 2
 * pairs of planes and each of 8 registers 1 AND, 1 vpopcntq, 1 add; a pair: 1 shift, 1 add; a group: 2. 51 uops for
 * 4096 weights. The sum of the weights, 8 vpopcntq, is part of loading them: a GEMM takes it once for all tokens.
 * Golden Cove at 512 bits: as w1a2.popcount. Register map: bit_serial_and.h.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  2
#define REGISTERS        8
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       51
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     512
#define ACTIVATION_BYTES 1024
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_and.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
