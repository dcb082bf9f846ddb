/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar WEIGHT_BITS-bit weights as the paper's planes, row by row: micro/families/bit_serial/bit_serial_planes_layout.h draws them.
 */
#include "micro/families/bit_serial/bit_serial_planes_layout.h"

#include "micro/families/bit_serial/bit_serial_format.h"
