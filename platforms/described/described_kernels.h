/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_DESCRIBED_DESCRIBED_KERNELS_H
#define PLATFORMS_DESCRIBED_DESCRIBED_KERNELS_H

#include <jansson.h>

#include "platforms/described/described.h"
#include "platforms/described/described_fields.h"

/** Read what a kind of core says of kernels, the member "kernels"; NULL: nothing. Errors as described_fields.h. */
int described_read_kernels(const struct field_reader *reader, const char *path, json_t *entries,
                           struct described_kind *kind);

void described_free_kernels(struct described_kind *kind);

#endif
