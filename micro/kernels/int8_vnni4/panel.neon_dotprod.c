/* SPDX-License-Identifier: BSD-3-Clause
 *
 * panel_neon.h with sdot.
 */
#define GAMMA "int8_vnni4.flip.neon_dotprod"
#include "micro/kernels/int8_vnni4/panel_neon.h"
