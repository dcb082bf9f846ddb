/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_LIST_COMMAND_CERTIFICATES_H
#define HARNESS_CMD_LIST_COMMAND_CERTIFICATES_H

#include <stdbool.h>

#include "harness/plugin/plugins.h"
#include "platforms/isa.h"

/**
 * `kneepoint list kernels --certificate`: make and print the certificate (harness/check/certificate.h) of every kernel that
 * these features can run. @return exit code: EXIT_CHECK_FAILED if any kernel gives what it must not
 */
int list_certificates(isa_features features, const struct plugins *plugins, bool json);

#endif
