/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What kernels of rows as they are stored share, beside block_rows.h: their operand. Included after the
 * blocks_*.h of an instruction set and before block_rows.h.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_ROWS_H
#define MICRO_FORMATS_IQ2_S_STANDIN_ROWS_H

#include "micro/families/blocks/q8_avx2.h"
#include "micro/formats/iq2_s_standin/vectors.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#ifndef ROW_BY_ROW
#define ROW_BY_ROW 0
#endif

#endif
