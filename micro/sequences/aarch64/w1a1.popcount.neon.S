/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 1-bit activations, bit-serial, NEON [apt-llm, III-B]. For the pair of planes and each of 16 steps of 64 columns and
 * 8 rows 1 dup and 4 times eor, cnt and uadalp; 4 to widen. 292 uops issued: 212 of arithmetic, 80 loads.
 * Neoverse N1, N2: 2 vector pipes, for 256 output vectors: >= 0.41. V1, V2: 4 pipes: >= 0.21.
 * Register map: bit_serial_popcount.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  1
#define STEPS            16
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       4
#define GROUP_UOPS       292
#define GROUP_VECTORS    256
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     1024
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/aarch64/bit_serial_popcount.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    bit_serial_refer_differing(data, dot, sum);
}
#endif
