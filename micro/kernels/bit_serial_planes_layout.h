/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in bit_serial_planes_format.h.
 */
#ifndef MICRO_KERNELS_BIT_SERIAL_PLANES_LAYOUT_H
#define MICRO_KERNELS_BIT_SERIAL_PLANES_LAYOUT_H

#define PLANE_BYTES  64 /* of a step */
#define STEP_COLUMNS 512
#define STEP_BYTES   (PLANE_BYTES * WEIGHT_BITS)

#endif
