/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * Named regions for a user who runs the tool under `likwid-perfctr -m`: likwid then prints its own groups per region.
 *
 * Every function but open takes NULL and does nothing with it, so that callers need not ask. Starting and stopping a
 * region enters the kernel: put regions around cells, not around samples.
 */

struct counters_system;
struct likwid_marker;

/** Names of the library, the newest first, NULL-terminated. */
extern const char *const likwid_libraries[];

/** Whether this process was started by likwid-perfctr -m. */
bool likwid_marker_is_wanted(void);

/**
 * Start the marker interface, once per process, before the team's threads.
 * @return 0; -ENODEV without likwid-perfctr -m (*marker is NULL: no error to speak of); -ENOENT, -ELIBBAD, -ENOMEM with
 * why
 */
int likwid_marker_open(const struct counters_system *system, struct likwid_marker **marker, char *why, size_t size);

/** Announce the calling thread, pinned. */
void likwid_marker_thread(const struct likwid_marker *marker);

/** Begin and end a region on the calling thread. @return 0 or -EIO */
int likwid_marker_begin(const struct likwid_marker *marker, const char *region);
int likwid_marker_end(const struct likwid_marker *marker, const char *region);

/** Write likwid's results. */
void likwid_marker_close(struct likwid_marker *marker);
