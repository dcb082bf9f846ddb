/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of a look-up kernel written in C: panels of 64 rows whose sums live in 32 bits in memory, a block of columns
 * at a time. The including .c defines
 *
 *   INTERLEAVE                                   panels side by side
 *   blocks_of(slice)                         blocks of a panel
 *   add_block(slice, panel, block, sums)     add the block's sums of 64 rows to int32_t sums[64]
 *   LOOKUP_BLOCK_BYTES                       optional: bytes of a block that is not the last. add_block() then takes
 *                                            another argument, how far from the block lies the one that comes next
 *   finish(slice, sums, panel)               write the panel's 64 outputs
 *
 * A block is what 16-bit sums hold and a few KiB of tables, which stay in the first-level cache while the same block of
 * all panels is read; the tables of a whole K would not. The panels of a slice are dealt to INTERLEAVE runs of
 * neighbours, each read from front to back, so a prefetch that runs past the end of a panel has fetched the next one of
 * the same run.
 */
#include <stddef.h>
#include <stdint.h>

enum { LOOKUP_ROWS = 64 };

/** How far from block `block` of panel `way` lies the block that is read after it; modulo 2^64, since it may lie before. */
static inline __attribute__((always_inline, unused)) size_t bytes_to_next(const struct gemv_slice *slice, size_t each,
                                                                          size_t way, size_t ways, size_t block)
{
    size_t way_bytes = each * slice->panel_bytes, block_bytes = 0;
#ifdef LOOKUP_BLOCK_BYTES
    block_bytes = LOOKUP_BLOCK_BYTES;
#endif
    if (way + 1 < ways)
        return way_bytes;
    size_t back = (ways - 1) * way_bytes;
    return block + 1 < blocks_of(slice) ? block_bytes - back : slice->panel_bytes - block * block_bytes - back;
}

#ifdef LOOKUP_BLOCK_BYTES
#define LOOKUP_ADD_BLOCK(slice, panel, block, sums, next) add_block(slice, panel, block, sums, next)
#else
#define LOOKUP_ADD_BLOCK(slice, panel, block, sums, next) add_block(slice, panel, block, sums)
#endif

/** Panels first + way * each of all ways. */
static inline __attribute__((always_inline)) void panels_side_by_side(const struct gemv_slice *slice, size_t first,
                                                                      size_t each, size_t ways)
{
    _Alignas(64) int32_t sums[INTERLEAVE][LOOKUP_ROWS] = {{0}};
    size_t blocks = blocks_of(slice);
    for (size_t block = 0; block < blocks; block++) {
        for (size_t way = 0; way < ways; way++)
            LOOKUP_ADD_BLOCK(slice, slice->weights + (first + way * each) * slice->panel_bytes, block, sums[way],
                             bytes_to_next(slice, each, way, ways, block));
    }
    for (size_t way = 0; way < ways; way++)
        finish(slice, sums[way], first + way * each);
}

/** Panels of each run: odd, since runs a power of two apart share cache sets and memory banks. */
static size_t panels_of_each_run(size_t panels)
{
    size_t each = panels / INTERLEAVE;
    return each > 2 && each % 2 == 0 ? each - 1 : each;
}

static void gemv(const struct gemv_slice *slice)
{
    size_t panel = 0;
    for (size_t each; (each = panels_of_each_run(slice->panels - panel)) > 0; panel += INTERLEAVE * each) {
        for (size_t i = 0; i < each; i++)
            panels_side_by_side(slice, panel + i, each, INTERLEAVE);
    }
    for (; panel < slice->panels; panel++)
        panels_side_by_side(slice, panel, 0, 1);
}
