/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in a panel of mixed24_rows of this many steps of 64 columns; format.c draws it. Each part is that many times the one of mixed24.
 */
#include "micro/quantization/mixed24_layout.h"

#define MIXED24_ROWS_PIECE_BYTES 16 /* of a row and step: three 2-bit groups, half of the 4-bit one */
#define MIXED24_ROWS_HALF_BYTES  4  /* the other half */

#define MIXED24_ROWS_PIECES(steps) (0 * (steps))   /* [16][steps] 16 bytes */
#define MIXED24_ROWS_HALVES(steps) (256 * (steps)) /* [16][steps] 4 bytes */
#define MIXED24_ROWS_WORDS(steps)  (320 * (steps)) /* [16][steps] u16 */
#define MIXED24_ROWS_SCALE2(steps) (352 * (steps)) /* [steps][4] halves */
#define MIXED24_ROWS_ZERO2(steps)  (360 * (steps)) /* [steps][4] signed bytes */
