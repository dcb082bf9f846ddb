/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in bit_serial_layout.h.
 */
#ifndef MICRO_KERNELS_W6_LAYOUT_H
#define MICRO_KERNELS_W6_LAYOUT_H

#define WEIGHT_BITS 6
#include "micro/kernels/bit_serial_layout.h"

#endif
