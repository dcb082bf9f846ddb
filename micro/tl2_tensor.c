/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/kernels/tl2_tiles.h"

#include <string.h>

/** From the beginning of a tensor to a part of tile 0, and of the tiles, whose parts alternate. */
static size_t part_of_tensor(enum tl2_tiles_part part, size_t m, size_t k, size_t bm, size_t bk)
{
    return m / bm * tl2_tiles_part_at(part, bm, bk, k);
}

void tl2_tiles_from_tensor(size_t m, size_t k, size_t bm, size_t bk, const uint8_t *tensor, uint8_t *tiles)
{
    for (size_t tile = 0; tile < m / bm; tile++) {
        for (int part = TL2_INDICES; part < TL2_PARTS; part++) {
            size_t bytes = tl2_tiles_part_bytes((enum tl2_tiles_part)part, bm, bk, k);
            memcpy(tiles, tensor + part_of_tensor((enum tl2_tiles_part)part, m, k, bm, bk) + tile * bytes, bytes);
            tiles += bytes;
        }
    }
}

void tl2_tiles_to_tensor(size_t m, size_t k, size_t bm, size_t bk, const uint8_t *tiles, uint8_t *tensor)
{
    for (size_t tile = 0; tile < m / bm; tile++) {
        for (int part = TL2_INDICES; part < TL2_PARTS; part++) {
            size_t bytes = tl2_tiles_part_bytes((enum tl2_tiles_part)part, bm, bk, k);
            memcpy(tensor + part_of_tensor((enum tl2_tiles_part)part, m, k, bm, bk) + tile * bytes, tiles, bytes);
            tiles += bytes;
        }
    }
}
