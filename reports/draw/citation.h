/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/draw/figure.h"

enum { CITATION_MAX = 1024 };

/** Which machine and run a figure is of, on one line, for under its heading. What is cut still says that nothing was measured. */
void citation_origin(const struct figure *figure, const struct view *view, char *text, size_t size);

/**
 * What a caption has to say so that the figure can be cited: of a run the machine, its core clock, what counted cycles, samples, the
 * version that measured, the run and its day. What the run does not know is left out. Of several runs their machines and names.
 */
void citation_of(const struct figure *figure, const struct view *view, char *text, size_t size);
