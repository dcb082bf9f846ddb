/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one call of a bit-serial register block multiplies.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_CUT_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_CUT_H

#include <stddef.h>
#include <stdint.h>

enum { BITS_PANELS_MOST = 4 };

/** What a register block multiplies. Steps from `whole` on have masks. */
struct bits_cut {
    const uint8_t *weights;         /* of the first panel's first step */
    size_t panel_bytes;             /* from one panel to the next that is multiplied */
    size_t group;                   /* tokens of the operand: BITS_GROUP, or 1 of a GEMV */
    const uint64_t *planes, *masks; /* of the first step and token; of a step and token ACTIVATION_BITS words, 1 word */
    size_t whole, steps;
    const int32_t *units; /* [panels][BITS_ROWS], with BITS_ANDS: (2^q - 1) sum U_w of all steps */
    int32_t *sums;        /* [panels][tokens][BITS_ROWS], written */
    const uint8_t *ahead; /* what is fetched meanwhile, of each panel as much as is multiplied; NULL: nothing */
};

#endif
