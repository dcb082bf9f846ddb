/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Of kernels with 8 rows a panel: drawn in bit_serial_layout.h.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"
