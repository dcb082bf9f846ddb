/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar WEIGHT_BITS-bit weights as bit planes, 8 rows a panel: micro/families/bit_serial/bit_serial_layout.h draws them.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#include "micro/families/bit_serial/bit_serial_format.h"
