/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights in the VNNI4-interleaved layout of [envelope, III-B], 32 rows a panel: a step is one cache line, one 512-bit or two
 * 256-bit registers.
 *
 *     step, 64 bytes = [m16][k4] bytes of two nibbles
 *
 *     byte      0   1   2   3   4   ...  63        bits of a byte   7 6 5 4   3 2 1 0
 *     m16       0   0   0   0   1   ...  15        row               m16+16     m16
 *     column    0   1   2   3   0   ...   3
 *
 * Both nibbles of a byte meet the same activation. A nibble is u = w + 8, w in [-8, 7].
 */
#define FIELD_BITS 4
#include "micro/families/planes/code_fields.h"
