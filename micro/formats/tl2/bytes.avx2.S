/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Triples of activations, 29 h + l.
 */
#define BASE        29
#define TOGETHER    8
#define TABLE_BYTES 32
#include "micro/formats/tl2/lookup_tiles_frame.h"
