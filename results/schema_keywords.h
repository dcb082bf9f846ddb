/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_SCHEMA_KEYWORDS_H
#define RESULTS_SCHEMA_KEYWORDS_H

#include "results/schema_walk.h"

/** Inside of results/schema.h: the keywords, one function each. Ends with a NULL name. */
extern const struct schema_keyword schema_keywords[];

#endif
