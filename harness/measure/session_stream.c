/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static size_t spread_stride(size_t each)
{
    enum { PAGE = 4096 };
    return ((each + PAGE - 1) / PAGE | 1) * PAGE;
}

size_t session_stream_span(const struct session_stream *stream, size_t bytes)
{
    return stream->variant->streams * spread_stride(bytes / stream->variant->streams);
}

void session_stream_repeat(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread,
                           unsigned times)
{
    const struct stream_variant *variant = stream->variant;
    size_t each = bytes / variant->streams;
    if (stream->stream->tile_operations) {
        variant->read(place, bytes, times, 0);
        return;
    }
    for (unsigned i = 0; i < times; i++)
        variant->read(place, each, spread ? spread_stride(each) : each, stream->prefetch_bytes);
}

void session_stream_read(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread)
{
    session_stream_repeat(stream, place, bytes, spread, 1);
}

void session_stream_label(const struct session_stream *stream, char *label, size_t size)
{
    int length =
        snprintf(label, size, "%s.s%u.r%u", stream->stream->name, stream->variant->streams, stream->variant->run_bytes);
    if (stream->variant->hint && length > 0 && (size_t)length < size)
        snprintf(label + length, size - (size_t)length, ".%s+%zu",
                 stream_hint_name((enum stream_hint)stream->variant->hint), stream->prefetch_bytes);
}

unsigned session_stream_id(const struct session_stream *stream)
{
    char label[80];
    session_stream_label(stream, label, sizeof label);
    uint32_t hash = 0x811c9dc5;
    for (const char *at = label; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x01000193;
    return hash & 0x7fffffff;
}

/** Bytes that a prefetch runs ahead. */
static const size_t distances[] = {512, 1024, 2048, 4096, 8192};
enum { DISTANCES = sizeof distances / sizeof *distances };

bool session_stream_at(size_t index, struct session_stream *stream)
{
    for (const struct stream *const *of = stream_all(); *of; of++) {
        for (uint32_t v = 0; v < (*of)->count && !(*of)->tile_operations; v++) {
            const struct stream_variant *variant = &(*of)->variants[v];
            /* prefetching twice is what kernels do: a bare read that prefetches into L2 alone is no slower */
            size_t here = variant->hint == STREAM_PREFETCH_BOTH ? 0 : variant->hint ? DISTANCES : 1;
            if (index < here) {
                *stream = (struct session_stream){*of, variant, variant->hint ? distances[index] : 0};
                return true;
            }
            index -= here;
        }
    }
    return false;
}

int session_stream_named(const char *label, struct session_stream *stream)
{
    for (size_t i = 0; session_stream_at(i, stream); i++) {
        char other[80];
        session_stream_label(stream, other, sizeof other);
        if (strcmp(other, label) == 0)
            return 0;
    }
    return -ENOENT;
}

int session_stream_of_id(unsigned id, struct session_stream *stream)
{
    for (size_t i = 0; session_stream_at(i, stream); i++) {
        if (session_stream_id(stream) == id)
            return 0;
    }
    return -ENOENT;
}
