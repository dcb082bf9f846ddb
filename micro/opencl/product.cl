/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Y = W A by the step before it; of one token it is a GEMV. A panel has ITEMS work-items that read side by side, and that SPLIT times, each time of
 * other pieces of K; a group has whole panels, all with the same TOKENS tokens. What splits have of a row is added up in local memory.
 *
 *     weights       [at ...] a packed matrix of `panels` panels, panel_bytes each
 *     activations   [tokens] [stride]
 *     corrections   [tokens]
 *     out           [GUARD] [tokens] [panels * PANEL_ROWS] [GUARD]: what lies between the guards is written
 *
 * STAGED: the tokens' activations come to local memory first, CHUNK columns at a time, once for all panels of a group. AHEAD: a piece is loaded
 * while the one before it is multiplied. BUFFERED: a piece is dequantized to local memory, and multiplied from there. micro/device_kernel.h says
 * what else a step may define.
 */
#ifndef SPACING
#define SPACING 1
#endif
#ifndef FINISH
#define FINISH(all, t) (SPACING * (all) + corrections[TOKEN(t)])
#endif
#ifndef OPERAND_HEAD
#define OPERAND_HEAD 0
#endif
#ifndef OPERAND_PIECE
#define OPERAND_PIECE PIECE_COLUMNS
#endif
#ifndef BUFFERED
#define BUFFERED 0
#endif
#ifndef AHEAD
#define AHEAD 0
#endif
#ifdef STATE
#define WITH_STATE(t) , state[t]
#else
#define WITH_STATE(t)
#endif
#if STAGED
#define CHUNK_PIECES (CHUNK / PIECE_COLUMNS)
#define X(t)         staged[t]
#ifdef STAGE
#define STAGED_TYPE char
#define STAGED_HEAD 0
#else
#define STAGED_TYPE ACTIVATION
#define STAGED_HEAD OPERAND_HEAD
#endif
#else
#define X(t) GIVEN(t)
#endif
/** Of the last tile some tokens are multiplied again. */
#define TOKEN(t) ((size_t)min(first_token + (t), tokens - 1))
#define GIVEN(t) (activations + TOKEN(t) * stride)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
product(global const uchar *restrict weights, const ulong at, const ulong panel_bytes, const uint panels,
        const uint columns, global const ACTIVATION *restrict activations, const uint stride, const uint tokens,
        global const RESULT *restrict corrections, global OUT *restrict out)
{
    const uint here = get_local_id(0), item = here % ITEMS, split = here / ITEMS % SPLIT, share = here / ITEMS / SPLIT;
    const uint tiles = (tokens + TOKENS - 1) / TOKENS, first_token = get_group_id(0) % tiles * TOKENS;
    const uint panel = get_group_id(0) / tiles * (GROUP / ITEMS / SPLIT) + share, pieces = columns / PIECE_COLUMNS;
    global const uchar *const its = weights + at + min(panel, panels - 1) * panel_bytes;
    RESULT y[TOKENS][RESULTS];
    sum_t sum[TOKENS][SUMS];
#pragma unroll
    for (uint t = 0; t < TOKENS; t++) {
#pragma unroll
        for (uint s = 0; s < SUMS; s++)
            sum[t][s] = 0;
    }
#if FINDS
    local uint found[TOKENS];
    for (uint t = here; t < TOKENS; t += GROUP)
        found[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = 0; t < TOKENS; t++)
        atomic_max(&found[t], as_uint(largest(GIVEN(t) + OPERAND_HEAD, columns, here, GROUP)));
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#ifdef STATE
    float state[TOKENS];
#pragma unroll
    for (uint t = 0; t < TOKENS; t++)
        state[t] = STATE(t);
#endif
#if BUFFERED
    local vector buffer[PIECE_COLUMNS][GROUP];
#endif
#if STAGED
    local STAGED_TYPE staged[TOKENS][STAGED_HEAD + CHUNK_PIECES * OPERAND_PIECE] __attribute__((aligned(16)));
    for (uint first = 0; first < pieces; first += CHUNK_PIECES) {
        const uint last = min((uint)CHUNK_PIECES, pieces - first);
        const uint words = last * OPERAND_PIECE * (uint)sizeof(STAGED_TYPE) / 4;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint t = 0; t < TOKENS; t++) {
            global const ACTIVATION *from = GIVEN(t) + OPERAND_HEAD + first * OPERAND_PIECE;
            for (uint i = here; i < words; i += GROUP)
#ifdef STAGE
                ((local uint *)staged[t])[i] = STAGE(from + 4 * i, state[t]);
#else
                ((local uint *)&staged[t][STAGED_HEAD])[i] = ((global const uint *)from)[i];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#else
    {
        const uint first = 0, last = pieces;
#endif
#if AHEAD
        piece_t next = load(its, first + min(split, last - 1), item);
#endif
        for (uint piece = split; piece < last; piece += SPLIT) {
#if AHEAD
            const piece_t loaded = next;
            next = load(its, first + min(piece + SPLIT, last - 1), item);
#else
            const piece_t loaded = load(its, first + piece, item);
#endif
#if BUFFERED
            dequantize(loaded, &buffer[0][here]);
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
            for (uint t = 0; t < TOKENS; t++)
                multiply_buffered(&buffer[0][here], piece, X(t), sum[t]);
            barrier(CLK_LOCAL_MEM_FENCE);
#else
#pragma unroll
            for (uint t = 0; t < TOKENS; t++)
                multiply(loaded, piece, X(t) WITH_STATE(t), sum[t]);
#endif
        }
    }
#pragma unroll
    for (uint t = 0; t < TOKENS; t++)
        results(sum[t], y[t]);
#if SPLIT > 1
    local RESULT part[RESULTS][GROUP];
#endif
#pragma unroll
    for (uint t = 0; t < TOKENS; t++) {
        const bool wanted = panel < panels && first_token + t < tokens;
        global OUT *const its_out = out + GUARD + TOKEN(t) * panels * PANEL_ROWS + panel * PANEL_ROWS;
#if SPLIT > 1
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint r = 0; r < RESULTS; r++)
            part[r][here] = y[t][r];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint r = split; r < RESULTS && wanted; r += SPLIT) {
            RESULT all = 0;
            for (uint i = 0; i < SPLIT; i++)
                all += part[r][(share * SPLIT + i) * ITEMS + item];
            its_out[ROW_OF(item, r)] = FINISH(all, t);
        }
#else
        for (uint r = 0; r < RESULTS && wanted; r++)
            its_out[ROW_OF(item, r)] = FINISH(y[t][r], t);
#endif
    }
}
