/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MEASURE_SESSION_STREAM_H
#define HARNESS_MEASURE_SESSION_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/stream.h"

/** A read stream as it was run: its label is "<name>.s<places>.r<run>[.<hint>+<distance>]". */
struct session_stream {
    const struct stream *stream;
    const struct stream_variant *variant;
    size_t prefetch_bytes;
};

/**
 * The read streams that compete for the roof of a team size, fastest first. Which of them reads most changes with the
 * size of the matrix and with the neighbours, so a cold GEMV is held against each in turn.
 */
enum { SESSION_ROOF_STREAMS = 3 };
struct session_roof {
    struct session_stream streams[SESSION_ROOF_STREAMS];
    unsigned count;     /* 0: not measured yet */
    double bytes_per_s; /* median, for plausibility and prediction */
    double bytes_per_cycle_per_core;
};

/** What a stream reads is a multiple of this: whole runs of any number of places. */
enum { SESSION_STREAM_UNIT = 6144 };

/** Bytes from the first to the last that a read of `bytes` touches: the places lie an odd number of pages apart. */
size_t session_stream_span(const struct session_stream *stream, size_t bytes);

/**
 * Read `bytes` (a multiple of SESSION_STREAM_UNIT) at a place of session_stream_span bytes. Spread: the streams' places
 * lie an odd number of pages apart, since places a power of two apart share sets and banks; else one after the other.
 */
void session_stream_read(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread);

/** Label of a stream. */
void session_stream_label(const struct session_stream *stream, char *label, size_t size);

/** Number that stands for the label in samples: the same in every run. */
unsigned session_stream_id(const struct session_stream *stream);

#endif
