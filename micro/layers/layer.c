/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/layer.h"

#include <string.h>

const char *layer_activation_name(enum layer_activation activation)
{
    static const char *const names[LAYER_ACTIVATIONS] = {"silu", "relu2"};
    return activation < LAYER_ACTIVATIONS ? names[activation] : "unknown";
}

const char *layer_cache_name(enum layer_cache cache)
{
    static const char *const names[LAYER_CACHES] = {"bf16", "q8_0", "q4_0"};
    return cache < LAYER_CACHES ? names[cache] : "unknown";
}

bool layer_cache_named(const char *name, enum layer_cache *cache)
{
    *cache = LAYER_CACHE_BF16;
    while (*cache < LAYER_CACHES && strcmp(layer_cache_name(*cache), name) != 0)
        (*cache)++;
    return *cache < LAYER_CACHES;
}

size_t layer_cache_positions(enum layer_cache cache)
{
    return cache == LAYER_CACHE_BF16 ? 1 : LAYER_CACHE_TILE;
}

size_t layer_cache_scales_at(enum layer_cache cache, size_t size)
{
    static const size_t bits[LAYER_CACHES] = {16, 8, 4};
    return layer_cache_positions(cache) * size * bits[cache] / 8;
}

size_t layer_cache_bytes(enum layer_cache cache, size_t size)
{
    size_t blocks = cache == LAYER_CACHE_BF16 ? 0 : (size + LAYER_CACHE_BLOCK - 1) / LAYER_CACHE_BLOCK;
    return layer_cache_scales_at(cache, size) + blocks * layer_cache_positions(cache) * sizeof(uint16_t);
}

double layer_cache_value_bytes(enum layer_cache cache)
{
    return (double)layer_cache_bytes(cache, LAYER_CACHE_BLOCK) /
           (double)(layer_cache_positions(cache) * LAYER_CACHE_BLOCK);
}
