/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_neon.h with sdot.
 */
#include "micro/kernels/q8_0/rows_neon.h"
