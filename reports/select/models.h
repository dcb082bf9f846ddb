/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_MODELS_H
#define REPORTS_SELECT_MODELS_H

#include <stdbool.h>

/**
 * Whether a model stands before another in a figure: in the order in which the papers show them, those of the envelope paper
 * first, then those of bitnet.cpp by size. Models that no paper's figure orders come last, by name; "" after all.
 */
bool models_before(const char *model, const char *other);

#endif
