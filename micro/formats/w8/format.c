/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar weights of 8 bits as bit planes, 8 rows a panel: micro/families/bit_serial/bit_serial_layout.h draws them.
 */
#include "micro/formats/w8/layout.h"

#include "micro/families/bit_serial/bit_serial_format.h"
