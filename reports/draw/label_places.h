/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Places of labels beside what they name, on one axis: as close to it as they can be (least squares) without being closer to each
 * other than apart. Labels keep the order of what they name; ties that of the array. The axis counts anything, pixels or
 * logarithms, and where all do not fit between low and high they reach beyond high.
 *
 * @param at  [count] of what is named, not NaN; of the label on return. At most LABEL_PLACES_MAX, more are left alone.
 */
enum { LABEL_PLACES_MAX = 128 };
void label_places(double *at, size_t count, double apart, double low, double high);
