/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "harness/cmd/console/table.h"
#include "harness/plugin/name_filter.h"
#include "harness/plugin/plugins.h"
#include "platforms/cpu/isa.h"

/** What there is, as records, and the tables of them. */

/** What decides what can run here, and where a kernel is from. */
struct inventory {
    struct cpuid_dump dump;
    isa_features features;
    struct plugins plugins;
    struct name_filter filter; /* of sequences and kernels */
    const char *run;           /* whose figures are listed; NULL: none's */
};

/** A list that `kneepoint list` has. */
struct inventory_list {
    const char *name; /* "kernels" */
    const char *what; /* one line on what its items are */
    const struct table *table;
    /** Array of the record of each item, unless the filter leaves it out; NULL with one line in why. */
    json_t *(*records)(const struct inventory *inventory, char *why, size_t size);
    bool run; /* items can run here or not */
};

enum { INVENTORY_LISTS = 6 };
extern const struct inventory_list inventory_lists[INVENTORY_LISTS];

/** The tables of all lists, NULL-terminated. */
extern const struct table inventory_sequence_table, inventory_kernel_table, inventory_shape_table,
    inventory_platform_table, inventory_figure_table, inventory_device_kernel_table;

/** Of which kernels there are to be certificates: of those that these features can run. */
struct list_certificates {
    const json_t *kernels; /* [] records of those that are listed, by their name */
    isa_features features;
    const struct plugins *plugins;
    bool json;
    const struct table_view *view;
};

extern const struct table certificate_table;

/**
 * `kneepoint list kernels --certificate`: make and print the certificates (harness/check/items/certificate.h).
 * @return exit code: EXIT_CHECK_FAILED where a product is wrong
 */
int list_certificates(const struct list_certificates *request);
