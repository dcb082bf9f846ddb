/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in bit_serial_layout.h.
 */
#ifndef MICRO_FORMATS_W1_LAYOUT_H
#define MICRO_FORMATS_W1_LAYOUT_H

#define WEIGHT_BITS 1
#include "micro/families/bit_serial/bit_serial_layout.h"

#endif
