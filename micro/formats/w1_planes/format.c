/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar weights of 1 bit as the paper's planes, row by row: micro/families/bit_serial/bit_serial_planes_layout.h draws them.
 */
#define WEIGHT_BITS 1
#include "micro/families/bit_serial/bit_serial_planes_layout.h"

#include "micro/families/bit_serial/bit_serial_format.h"
