/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "platforms/devices/opencl.h"

/** What drivers say, made fit to be shown: pure functions. */

/**
 * A driver's text as printable ASCII without blanks at its ends and with one between words; what is neither becomes '?'.
 * It is cut with "..." to fit into size bytes, 4 at least.
 */
void opencl_text(const char *said, char *text, size_t size);

/** The first of the types that a device has: a driver may set several bits. */
enum opencl_kind opencl_kind_of(uint64_t types);

/** Whether a list of names with blanks between has this one; UNKNOWN without a list. */
enum opencl_answer opencl_has_extension(const char *list, const char *name);

/** Whether a listing is what opencl_query writes: what comes from a driver's process may be anything. */
bool opencl_is_sound(const struct opencl_listing *listing);
