/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in layout.h.
 */
#define CARDINALITY 3
#include "micro/formats/tl1/elut_pairs_format.h"
