/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "platforms/described/described.h"

/**
 * Descriptions by name, of those that travel inside the binary, and from files.
 *
 * Errors: those of described_parse, else the error of the system; one line in why.
 */

/** Read a description from a file. */
int described_load(const char *path, struct described_platform *platform, char *why, size_t size);

/**
 * Name of a known platform by index.
 * @return the length that snprintf would, or 0 after the last one
 */
size_t described_known_name(size_t index, char *name, size_t size);

/** Read a known platform. -ENOENT if there is none of this name; why then lists the known ones. */
int described_find(const char *name, struct described_platform *platform, char *why, size_t size);

/** A known platform's name, or else a path (with a '/' or ending in ".json"). */
int described_open(const char *name_or_path, struct described_platform *platform, char *why, size_t size);

/**
 * Read a description from text; origin names it in why. Units are converted.
 *
 * @return 0; -ENOMEM, or -EINVAL for what is no valid description, with one line in why: the origin, the JSON path of
 * the field (or the line of broken JSON) and what is wrong with it. The platform is empty then.
 */
int described_parse(const char *text, size_t length, const char *origin, struct described_platform *platform, char *why,
                    size_t size);
