/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_LIST_COMMAND_CERTIFICATES_H
#define HARNESS_CMD_LIST_COMMAND_CERTIFICATES_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/plugin/plugins.h"
#include "platforms/isa.h"

/**
 * `kneepoint list kernels --certificate`: make and print the certificate (harness/check/certificate.h) of every kernel that
 * these features can run.
 * @param kernels  [] records of those that are listed, by their name
 * @return exit code: EXIT_CHECK_FAILED if any kernel gives what it must not
 */
int list_certificates(const json_t *kernels, isa_features features, const struct plugins *plugins, bool json);

#endif
