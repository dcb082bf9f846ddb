/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar weights of 6 bits as bit planes, 8 rows a panel: bit_serial_layout.h draws them.
 */
#include "micro/kernels/w6/layout.h"

#include "micro/kernels/bit_serial_format.h"
