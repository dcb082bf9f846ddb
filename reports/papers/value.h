/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAPERS_VALUE_H
#define REPORTS_PAPERS_VALUE_H

#include <jansson.h>
#include <stddef.h>

#include "platforms/described/described_fields.h"
#include "roofline/interval.h"

/** A number of a paper as it is printed, with its unit. The texts belong to the file that it was read from. */
struct papers_value {
    const char *text;            /* "98 GB/s" */
    struct stated_value printed; /* in its unit */
    const char *unit;            /* "GB/s"; "1" for a bare number */
    double factor;               /* of the unit: into SI */
};

struct papers_values {
    struct papers_value *of;
    size_t count;
};

/**
 * Read "98 GB/s". A number without a unit has that of its list.
 * @param unit_of_list  NULL: none
 * @return 0, or -EINVAL with the reason in the reader
 */
int papers_read_value(const struct field_reader *reader, const char *path, const json_t *text, const char *unit_of_list,
                      struct papers_value *value);

/** Whether this is a list: an array, or {"unit": …, "values": […]}. */
bool papers_is_list(const json_t *list);

/** Read a list in either form. @return 0, -EINVAL or -ENOMEM; values->of is to be freed in each case */
int papers_read_list(const struct field_reader *reader, const char *path, const json_t *list,
                     struct papers_values *values);

#endif
