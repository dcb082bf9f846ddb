/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gamma of the step before it: what it takes to up-convert and multiply, with its weights and activations in registers. Each work-item takes
 * the piece that its lane has of the first panel, again and again, turned by the number of the time, so that no part of a step is the same every
 * time: an exclusive or a word more than a step takes.
 */
#ifdef STATE
#define WITH_STATE , (float)columns
#else
#define WITH_STATE
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void gamma_of(global const uchar *restrict weights,
                                                                        const uint columns,
                                                                        global const ACTIVATION *restrict activations,
                                                                        global RESULT *restrict out)
{
    const piece_t piece = load(weights, 0, get_local_id(0) % ITEMS);
    RESULT y[RESULTS], all = 0;
    sum_t sum[SUMS];
    for (uint s = 0; s < SUMS; s++)
        sum[s] = 0;
#if BUFFERED
    local vector buffer[PIECE_COLUMNS][GROUP];
    for (uint i = 0; i < columns / PIECE_COLUMNS; i++) {
        dequantize(turn(piece, i), &buffer[0][get_local_id(0)]);
        barrier(CLK_LOCAL_MEM_FENCE);
        multiply_buffered(&buffer[0][get_local_id(0)], 0, activations, sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    for (uint i = 0; i < columns / PIECE_COLUMNS; i++)
        multiply(turn(piece, i), 0, activations WITH_STATE, sum);
#endif
    results(sum, y);
    for (uint r = 0; r < RESULTS; r++)
        all += y[r];
    out[get_global_id(0)] = all;
}
