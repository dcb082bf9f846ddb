/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights, 4-bit activations, bit-serial, NEON [apt-llm, III-B]. For each of 16 pairs of planes and each of 4 steps of 64 columns and
 * 8 rows 1 dup and 4 times eor, cnt and uadalp; between 7 levels 4 shifts each; 4 to widen. 1180 uops issued: 860 of arithmetic, 320 loads.
 * Neoverse N1, N2: 2 vector pipes, for 64 output vectors: >= 6.72. V1, V2: 4 pipes: >= 3.36.
 * Register map: bit_serial_popcount.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      4
#define ACTIVATION_BITS  4
#define STEPS            4
#define BYTES            16.0 /* planes of weights */
#define GROUP_DOTS       4
#define GROUP_UOPS       1180
#define GROUP_VECTORS    64
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
