/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast a device reads memory. Each work-item reads `each` vectors; where INTERLEAVED, beside its neighbours of the group, as the memory
 * of a GPU wants it, else one after the other, as the caches of a CPU do.
 */

/** The words that the others read: `each` a work-item. */
kernel void fill(global uint *restrict words, const uint each)
{
    const size_t first = get_global_id(0) * each;
    for (uint i = 0; i < each; i++)
        words[first + i] = (uint)(first + i) * 2654435761u + 1u;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void roof(global const uint *restrict words,
                                                                    global uint *restrict out, const uint each)
{
    global const vector *from = (global const vector *)words;
#if INTERLEAVED
    const uint step = GROUP;
    from += get_group_id(0) * ((size_t)each * GROUP) + get_local_id(0);
#else
    const uint step = 1;
    from += get_global_id(0) * each;
#endif
    vector sum = 0;
    for (uint i = 0; i < each; i++)
        sum += from[(size_t)i * step];
    out[get_global_id(0)] = SUM(sum);
}
