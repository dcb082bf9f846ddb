/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast a device reads the local memory of its groups: `each` passes, in each of which a work-item reads PLACES vectors, beside those
 * of its neighbours and every time others. `each` is a multiple of GROUP, which is a power of two.
 */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void roof(global const uint *restrict words,
                                                                    global uint *restrict out, const uint each)
{
    local vector part[PLACES * GROUP];
    const uint item = get_local_id(0);
    for (uint p = 0; p < PLACES; p++)
        part[p * GROUP + item] = ((global const vector *)words)[p * GROUP + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    vector sum = 0;
    for (uint i = 0; i < each; i++) {
        const uint at = (item + i) & (GROUP - 1);
#pragma unroll
        for (uint p = 0; p < PLACES; p++)
            sum += part[p * GROUP + at];
    }
    out[get_global_id(0)] = SUM(sum);
}
