/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_COLUMN_ORDER_H
#define MICRO_QUANTIZATION_COLUMN_ORDER_H

#include "micro/kernel.h"

/**
 * The order that a matrix may hold its groups of columns in: struct kernel_ordered in micro/kernel.h. A number of 16 bits a group, so a format
 * with one has at most 65536 groups.
 */

/** Groups of a matrix of K columns, those of padding among them; 0 where the format keeps columns as they are. */
size_t column_order_groups(const struct format *format, size_t k);

/**
 * Draw an order of column_order_groups() for a matrix of K columns. Groups that are whole columns of it are at random places; one
 * with padding stays where it is, so that the first K columns are the matrix still. It follows from K and the group alone: all matrices of
 * a K have the same one here, and those that read the same activations share an operand.
 */
void column_order_draw(const struct format *format, size_t k, uint16_t *order);

/**
 * Copy activations as a kernel takes them to the order of the panels.
 *
 * @param activations  all of them, padded with zeros to whole steps
 * @param k            columns to write, whole steps
 * @param order        of the first of these
 * @param ordered      [k]; not the activations themselves
 */
void column_order_copy(const struct kernel *kernel, const void *activations, size_t k, const uint16_t *order,
                       void *ordered);

/**
 * Make a kernel's operand through an order: by ordered.prepare() if it has that, else by a copy and then prepare(), if it has
 * that. Parameters as above; ordered is written in the second case only.
 */
void column_order_prepare(const struct kernel *kernel, const void *activations, size_t k, const uint16_t *order,
                          void *ordered, void *prepared);

#endif
