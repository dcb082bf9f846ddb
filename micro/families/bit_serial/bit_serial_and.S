/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial, VPOPCNTDQ, as products of unsigned integers: w<p>a<q>.popcount with ands. For each of the P = WEIGHT_BITS ACTIVATION_BITS pairs of planes
 * and each of R = REGISTERS registers 1 AND, 1 vpopcntq, 1 add; a pair: 1 shift, 1 add; a group: 2, of 512 R weights. The sum of the weights, R
 * vpopcntq a plane, is part of loading them: a GEMM takes it once for all tokens.
 * Golden Cove at 512 bits: as w<p>a<q>.popcount. Register map: bit_serial_and.h.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    (16 * REGISTERS)
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     (64 * REGISTERS * WEIGHT_BITS)
#define ACTIVATION_BYTES (64 * REGISTERS * ACTIVATION_BITS)
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_and.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
