/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast a device multiplies and adds bytes: CHAINS sums a work-item, each of which is an operand of its next product, so that no
 * product can be left out. BUILT_IN: by the instruction of cl_khr_integer_dot_product; else as C has it.
 */
int dot_of(uint a, uint b)
{
#if BUILT_IN
    return dot_4x8packed_ss_int(a, b);
#else
    const int4 product = convert_int4(as_char4(a)) * convert_int4(as_char4(b));
    return product.x + product.y + product.z + product.w;
#endif
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void roof(global const uint *restrict words,
                                                                    global uint *restrict out, const uint each)
{
    const uint item = get_global_id(0) & 7, b = words[32], c = words[33];
    uint sum[CHAINS];
#pragma unroll
    for (uint k = 0; k < CHAINS; k++)
        sum[k] = words[k + item];
    for (uint i = 0; i < each; i++) {
#pragma unroll
        for (uint k = 0; k < CHAINS; k++)
            sum[k] = (uint)dot_of(sum[k], b) + c;
    }
    uint all = 0;
#pragma unroll
    for (uint k = 0; k < CHAINS; k++)
        all += sum[k];
    out[get_global_id(0)] = all;
}
