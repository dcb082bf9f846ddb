/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A step of 16 rows in the lanes; codes are looked up in registers.
 */
#define CODES_ARE_INDICES
#include "micro/kernels/mixed24/lanes_512.h"
