/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast a device multiplies and adds bytes, four a word, as dot.h does: CHAINS vectors of sums a work-item, each of which is an operand of its
 * next product, so that no product can be left out.
 */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void roof(global const uint *restrict words,
                                                                    global uint *restrict out, const uint each)
{
    const uint item = get_global_id(0) & 7, b = words[160], c = words[161];
    vector sum[CHAINS];
#pragma unroll
    for (uint k = 0; k < CHAINS; k++)
        sum[k] = READ(words + k * WIDTH + item);
    for (uint i = 0; i < each; i++) {
#pragma unroll
        for (uint k = 0; k < CHAINS; k++)
            sum[k] = UNSIGNED(dot_all(sum[k], b)) + c;
    }
    uint all = 0;
#pragma unroll
    for (uint k = 0; k < CHAINS; k++)
        all += SUM(sum[k]);
    out[get_global_id(0)] = all;
}
