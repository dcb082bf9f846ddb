/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/device/device_cell.h"
#include "harness/cells/device_roof/roofs.h"

/** A roof of an OpenCL device. */
struct device_roof_cell {
    struct device_cell of;
    const struct device_roof *roof;
};
extern const struct cell_kind cell_kind_device_roof;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct device_roof_cell *device_roof_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_device_roof ? cell->own : NULL;
}

/** One of each roof that the device has. 0 or -ENOMEM. */
int device_roof_add_all(struct cells *cells, const struct device *device);

/** One, by its number; nothing where the device has none of its variants. 0 or -ENOMEM. */
int device_roof_add(struct cells *cells, const struct device *device, size_t roof);

/** The cell of a roof of a device; NULL: it is not measured. */
const struct cell *device_roof_find(const struct cells *cells, const struct device *device, size_t roof);

/** Bytes, operations or launches a second. */
struct graded device_roof_rate(const struct cell *cell);

/** Take `count` samples in a worker; as cell_visit. */
int device_roof_visit(struct session *session, struct cell *cell, unsigned count);
