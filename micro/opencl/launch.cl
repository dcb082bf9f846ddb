/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a launch takes: a kernel that does nothing.
 */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void roof(global const uint *restrict words,
                                                                    global uint *restrict out, const uint each)
{
    if (each == 0)
        out[0] = words[0];
}
