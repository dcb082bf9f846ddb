/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A step of 16 rows in the lanes of two registers.
 */
#define SUMS_OF_WORDS
#include "micro/kernels/mixed24/lanes_256.h"
