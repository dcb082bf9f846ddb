/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/device/device_cell.h"

/**
 * --device=NAME: find the OpenCL device, and claim it, so that no other process of this tool measures on it until this one ends. Before the
 * process has threads.
 * @return EXIT_DONE, or EXIT_USAGE after complaining
 */
int device_option_find(const char *command, const char *named, struct device *device);

/** Complain of an option that is of this machine's cores, beside --device. @return EXIT_USAGE */
int device_option_refuse(const char *command, const char *option);
