/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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

/** The read stream that is the roof of a level and team: the only one that is read beside other cells. */
struct session_roof {
    bool chosen;
    struct session_stream stream;
};

/**
 * Stream `index` of lines of all that this architecture has, each hint at each of its distances, whether it can run here or
 * not; false past the last.
 */
bool session_stream_at(size_t index, struct session_stream *stream);

/** The stream of that label, or of that session_stream_id. @return 0 or -ENOENT */
int session_stream_named(const char *label, struct session_stream *stream);
int session_stream_of_id(unsigned id, struct session_stream *stream);

/** What a stream reads is a multiple of this: whole runs of any number of places. */
enum { SESSION_STREAM_UNIT = 6144 };

/** Bytes from the first to the last that a read of `bytes` touches: the places lie an odd number of pages apart. */
size_t session_stream_span(const struct session_stream *stream, size_t bytes);

/**
 * Read `bytes` (a multiple of SESSION_STREAM_UNIT) at a place of session_stream_span bytes. Spread: the streams' places
 * lie an odd number of pages apart, since places a power of two apart share sets and banks; else one after the other.
 */
void session_stream_read(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread);

/** The same so many times in a row, > 0; of tiles as well, which are never spread, and whose bytes are a multiple of a tile. */
void session_stream_repeat(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread,
                           unsigned times);

/** Label of a stream. */
void session_stream_label(const struct session_stream *stream, char *label, size_t size);

/** Number that stands for the label in samples: the same in every run. */
unsigned session_stream_id(const struct session_stream *stream);
