/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_MIXED_PACK_H
#define MICRO_MIXED_PACK_H

#include "micro/mixed_quantize.h"

/**
 * A quantized matrix as the formats mixed24 and mixed24_o02, _o05, _o15, _o30 hold it: panels that a GEMV of theirs multiplies, with the order of
 * the column groups beside them. What weight() then says of a place of a panel is, to the last bit, what mixed_decode() says of the same
 * row and of the column that the order has there.
 */

/**
 * Groups of a matrix with their padding to whole steps; the length of an order.
 */
size_t mixed_pack_groups(const struct mixed_matrix *matrix);

/**
 * @param per_mille  0: mixed24, of a matrix without outliers; else 2, 5, 15, 30 of the formats with these
 * @param order      [mixed_pack_groups()], written: place to group, of which those past the last are padding
 * @param packed     format_packed_bytes(), 64-byte aligned; every byte is written
 * @return 0; -EINVAL: no quarter of the groups is in 4 bits, outliers are of these, or there are some and per_mille is 0; -ENOSPC: more
 *         of them in a panel than it has room for; -ENOMEM
 */
int mixed_pack(const struct mixed_matrix *matrix, uint32_t per_mille, uint16_t *order, uint8_t *packed);

#endif
