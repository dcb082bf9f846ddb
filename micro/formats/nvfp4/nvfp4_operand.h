/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of 64 columns as nvfp4's kernels have them (micro/formats/nvfp4/operand.h): 64 int8, then at these bytes
 *
 *   NVFP4_STARTS        where the sum of each lane of a row begins, int32
 *   NVFP4_GROUP_STARTS  where that of each 16 columns begins, int32, for lanes that are rows
 *   NVFP4_SCALE         128 times their scale, float: half of 256, since values are doubled and scales read as binary16
 *   NVFP4_FOUR_SCALES   of the first of four such operands: 128 times the scale of each, twice, float
 */
#define NVFP4_STARTS       64
#define NVFP4_GROUP_STARTS 128
#define NVFP4_SCALE        144
#define NVFP4_FOUR_SCALES  160
#define NVFP4_BYTES        192
