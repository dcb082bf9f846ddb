/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_PAPERS_PUBLISHED_H
#define REPORTS_SELECT_PAPERS_PUBLISHED_H

#include <stdbool.h>

#include "reports/select/run/view.h"

/** Instruction sets that [envelope] published its CPU kernels for, AVX2 and its dot products, fastest first; NULL ends them. */
extern const char *const published_isas[];

/** Whether a gamma or gemv record is of a kernel of [envelope] as published, and not of a port to another instruction set. */
bool published_is(const json_t *record);

#endif
