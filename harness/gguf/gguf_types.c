/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/gguf.h"

#include <stddef.h>
#include <string.h>

static const struct {
    struct gguf_type type;
    bool of_bitnet;
} types[] = {
#define ROW(id, name, columns, bytes, tail, format, of_bitnet) {{id, name, columns, bytes, tail, format}, of_bitnet},
#define TYPE(...)                                              ROW(__VA_ARGS__, false)
#define TYPE_OF_BITNET(...)                                    ROW(__VA_ARGS__, true)
#include "harness/gguf/gguf_types.def"
#undef TYPE
#undef TYPE_OF_BITNET
#undef ROW
};

const struct gguf_type *gguf_type_find(uint32_t id, bool of_bitnet)
{
    const struct gguf_type *found = NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].type.id == id && (of_bitnet || !types[i].of_bitnet))
            found = &types[i].type; /* those of bitnet.cpp stand last */
    }
    return found;
}

const struct gguf_type *gguf_type_named(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type.name, name) == 0)
            return &types[i].type;
    }
    return NULL;
}
