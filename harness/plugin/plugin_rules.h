/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "micro/plugin.h"

/**
 * What every description must say before any of their code is called. Pure; the formats of kernels are
 * resolved. 0, or -EINVAL with one line in why that names the entry and the field.
 */

/** ABI and sizes: whether the rest can be read at all. Of another ABI nothing but its number is read. */
int plugin_rules_abi(const struct kneepoint_plugin *plugin, char *why, size_t size);

/** Its own name, and that it brings something. */
int plugin_rules_plugin(const struct kneepoint_plugin *plugin, char *why, size_t size);

/** A format: its name, and what it says of its layout. */
int plugin_rules_format(const struct format *format, char *why, size_t size);

/** A kernel: its names and instruction set, its format, shapes and functions. */
int plugin_rules_kernel(const struct kernel *kernel, char *why, size_t size);

/** A sequence: its names and instruction set, and the numbers and functions that it states. */
int plugin_rules_sequence(const struct sequence *sequence, char *why, size_t size);
