/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_stream.h"

#include <stdio.h>

static size_t spread_stride(size_t each)
{
    enum { PAGE = 4096 };
    return ((each + PAGE - 1) / PAGE | 1) * PAGE;
}

size_t session_stream_span(const struct session_stream *stream, size_t bytes)
{
    return stream->variant->streams * spread_stride(bytes / stream->variant->streams);
}

void session_stream_read(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread)
{
    size_t each = bytes / stream->variant->streams;
    stream->variant->read(place, each, spread ? spread_stride(each) : each, stream->prefetch_bytes);
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
