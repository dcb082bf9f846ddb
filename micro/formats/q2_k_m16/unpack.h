/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What micro/formats/q2_k/panel.c requires of this format.
 */
static inline void q2_k_load(const uint8_t *panels, size_t stride, size_t half, struct q2_k_rows *rows)
{
    (void)stride; /* a panel has all 16 rows */
    for (int m = 0; m < 4; m++)
        rows->groups[m] = q2_k_load_256(panels + 64 + 64 * m + 32 * (int)half);
    for (int l = 0; l < 16; l++)
        rows->codes[l] = q2_k_load_256(panels + 320 + 64 * l + 32 * (int)half);
    rows->d = q2_k_load_128(panels + 16 * half);
    rows->dmin = q2_k_load_128(panels + 32 + 16 * half);
}
