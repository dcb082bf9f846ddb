/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_DESCRIBED_DESCRIBED_PARSE_H
#define PLATFORMS_DESCRIBED_DESCRIBED_PARSE_H

#include <stddef.h>

#include "platforms/described/described.h"

/**
 * Read a description from text; origin names it in why. Units are converted.
 *
 * @return 0; -ENOMEM, or -EINVAL for what is no valid description, with one line in why: the origin, the JSON path of
 * the field (or the line of broken JSON) and what is wrong with it. The platform is empty then.
 */
int described_parse(const char *text, size_t length, const char *origin, struct described_platform *platform, char *why,
                    size_t size);

#endif
