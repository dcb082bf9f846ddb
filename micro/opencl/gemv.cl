/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV, y = W a, by the step before it. A panel has ITEMS work-items that read side by side, and that SPLIT times, each time of other pieces;
 * a group has whole panels. What they have of a row is added up in local memory.
 *
 *     weights     [at ...] a packed matrix of `panels` panels, panel_bytes each
 *     out         [GUARD] [panels * PANEL_ROWS] [GUARD]: what lies between the guards is written
 */
#ifndef SPACING
#define SPACING 1
#endif
#ifndef FINISH
#define FINISH(all) (SPACING * (all) + correction)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
gemv(global const uchar *restrict weights, const ulong at, const ulong panel_bytes, const uint panels,
     const uint columns, global const ACTIVATION *restrict activations, const RESULT correction,
     global OUT *restrict out)
{
    const uint here = get_local_id(0), item = here % ITEMS, split = here / ITEMS % SPLIT, share = here / ITEMS / SPLIT;
    const uint panel = get_group_id(0) * (GROUP / ITEMS / SPLIT) + share, pieces = columns / PIECE_COLUMNS;
    RESULT y[RESULTS];
    sum_t sum[SUMS];
    for (uint s = 0; s < SUMS; s++)
        sum[s] = 0;
    if (panel < panels) {
        for (uint piece = split; piece < pieces; piece += SPLIT)
            multiply(load(weights + at + panel * panel_bytes, piece, item), piece, activations, sum);
    }
    results(sum, y);
#if SPLIT > 1
    local RESULT part[RESULTS][GROUP];
    for (uint r = 0; r < RESULTS; r++)
        part[r][here] = y[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = split; r < RESULTS && panel < panels; r += SPLIT) {
        RESULT all = 0;
        for (uint i = 0; i < SPLIT; i++)
            all += part[r][(share * SPLIT + i) * ITEMS + item];
        out[GUARD + panel * PANEL_ROWS + ROW_OF(item, r)] = FINISH(all);
    }
#else
    for (uint r = 0; r < RESULTS && panel < panels; r++)
        out[GUARD + panel * PANEL_ROWS + ROW_OF(item, r)] = FINISH(y[r]);
#endif
}
