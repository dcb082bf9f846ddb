/* SPDX-License-Identifier: BSD-3-Clause
 *
 * panel_neon.h with smull, addp and sadalp.
 */
#define GAMMA "int8_vnni4.flip.neon"
#include "micro/kernels/int8_vnni4/panel_neon.h"
