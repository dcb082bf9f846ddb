/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tbl looks up the values, then smull, smlal2 and sadalp: block32_rows_aarch64.h.
 */
#include "micro/kernels/iq4_nl/layout.h"

#define BLOCKS_TOGETHER 4
#include "micro/kernels/iq4_nl/codes_aarch64.h"

#include "micro/kernels/block32_rows_aarch64.h"

#include "micro/frames/gamma.h"
