/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast a device multiplies and adds: CHAINS vectors a work-item, each x = x * a + b, with a -1 and b 1 as the buffer has them, so
 * that after an even number of steps x is what it was.
 */
#if WIDTH == 1
#define READ(p) ((vector)(*(p) & 7))
#else
#define READ(p) JOIN(convert_, JOIN(REAL, WIDTH))(JOIN(vload, WIDTH)(0, p) & 7)
#endif
#if !HALF && !defined(FP_FAST_FMAF)
#define fma mad
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void roof(global const uint *restrict words,
                                                                    global uint *restrict out, const uint each)
{
    const uint item = get_global_id(0) & 7;
    const vector b = (vector)(REAL)words[0], a = -b;
    vector x[CHAINS];
#pragma unroll
    for (uint k = 0; k < CHAINS; k++)
        x[k] = READ(words + item + k * WIDTH);
    for (uint i = 0; i < each; i++) {
#pragma unroll
        for (uint k = 0; k < CHAINS; k++)
            x[k] = fma(x[k], a, b);
    }
    uint all = 0;
#pragma unroll
    for (uint k = 0; k < CHAINS; k++)
        all += SUM(x[k]);
    out[get_global_id(0)] = all;
}
