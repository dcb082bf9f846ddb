/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLUGIN_GIVEN_NAME_H
#define HARNESS_PLUGIN_GIVEN_NAME_H

#include <stdbool.h>

#include "harness/plugin/plugins.h"

/** Names of kernels and sequences as a user gives them: whole, or leading parts of one up to a dot. */
bool given_name_means(const char *given, const char *name);

/** The kernel or sequence of a plug-in that a given name means, if it failed its check; else NULL. */
const struct plugin_fault *given_name_withheld(const char *given, const struct plugins *plugins);

#endif
