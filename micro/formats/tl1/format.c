/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in layout.h.
 */
#define CARDINALITY 3
#include "micro/families/lookup/elut_pairs_format.h"
