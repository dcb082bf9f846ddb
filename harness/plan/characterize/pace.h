/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"

/**
 * How fast a machine turns out to be: what visits took against what was estimated, by kind of cell, and the share of
 * samples that is kept.
 */
enum { PACE_KINDS = 64 };

struct pace {
    double estimated_s[PACE_KINDS], taken_s[PACE_KINDS];
    size_t taken, kept; /* samples, or pairs */
};

/** Note a visit that took seconds, `samples` samples or pairs of which this many were kept. */
void pace_note(struct pace *pace, unsigned kind, double estimated_s, double seconds, size_t samples, size_t kept);

/** What a kind takes over what is estimated; of all kinds where little of it was seen, 1 where nothing was. */
double pace_of(const struct pace *pace, unsigned kind);

/**
 * {"gemv": {"estimated_s": 12.3, "taken_s": 11.9}, ...} of the kinds of which something was visited, by the names of
 * cell_kind_all. New reference; NULL without memory.
 */
json_t *pace_record(const struct pace *pace);

/** Share of samples, or pairs, that are kept: PARTS_KEPT_SHARE at first. */
double pace_kept_share(const struct pace *pace);

/** Samples, or pairs, to take so that this many may be kept: at least as many, and not without end. */
unsigned pace_samples(const struct pace *pace, size_t wanted);
