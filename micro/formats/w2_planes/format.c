/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar weights of 2 bits as the paper's planes, row by row: micro/families/bit_serial/bit_serial_planes_layout.h draws them.
 */
#define WEIGHT_BITS 2
#include "micro/families/bit_serial/bit_serial_planes_layout.h"

#include "micro/families/bit_serial/bit_serial_format.h"
