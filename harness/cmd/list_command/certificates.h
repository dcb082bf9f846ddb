/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_LIST_COMMAND_CERTIFICATES_H
#define HARNESS_CMD_LIST_COMMAND_CERTIFICATES_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/cmd/console/table.h"
#include "harness/plugin/plugins.h"
#include "platforms/isa.h"

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
 * `kneepoint list kernels --certificate`: make and print the certificates (harness/check/certificate.h).
 * @return exit code: EXIT_CHECK_FAILED where a product is wrong
 */
int list_certificates(const struct list_certificates *request);

#endif
