/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ELUT(4, 2) [bitnet-cpp, table 3]: TL1's layout with weights -2 … 1 in place of -1 … 1, so that all 16 indices are used,
 * index = 4 (w0 + 2) + w1 + 2; micro/formats/tl1/layout.h draws it.
 */
#define CARDINALITY 4
#include "micro/formats/tl1/elut_pairs_format.h"
