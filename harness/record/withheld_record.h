/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_RECORD_WITHHELD_RECORD_H
#define HARNESS_RECORD_WITHHELD_RECORD_H

#include <jansson.h>

#include "harness/plugin/plugins.h"

/**
 * Record of type "withheld": a kernel or sequence of a plug-in that failed its check or misbehaved while it was measured, and the
 * reason. New reference, NULL without memory.
 */
json_t *withheld_record(const struct plugin_fault *fault);

#endif
