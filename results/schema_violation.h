/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_SCHEMA_VIOLATION_H
#define RESULTS_SCHEMA_VIOLATION_H

enum { SCHEMA_PATH_SIZE = 160, SCHEMA_REASON_SIZE = 160 };

/** The first field found to be wrong. */
struct schema_violation {
    char path[SCHEMA_PATH_SIZE];     /* "kinds[0].clock.value"; "" for the whole */
    char reason[SCHEMA_REASON_SIZE]; /* "is -3, but must be above 0" */
};

/** How to judge a field that is not there. */
enum schema_missing {
    SCHEMA_MISSING_IS_WRONG, /* the standard */
    SCHEMA_MISSING_IS_FINE,  /* only what is there has to be right: `required` and `dependentRequired` say nothing */
};

#endif
