/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of 32 columns as they are stored, four side by side, on aarch64 (block32_rows_aarch64.h): a shift and a mask make signed bytes of
 * codes of q4_0, tbl looks up those of iq4_nl, and those of q8_0 take nothing but the scale; then sdot, on SVE of 256 bits, or smull, smlal2 and sadalp.
 */
#include "micro/of_self.h"
#include OF_FORMAT(codes_aarch64.h)

#include "micro/families/block32/block32_rows_aarch64.h"

#include "micro/frames/gamma.h"
