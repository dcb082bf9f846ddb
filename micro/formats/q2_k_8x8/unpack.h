/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What micro/formats/q2_k/panel.c requires of this format: chunks of eight bytes become lanes of four.
 */
static inline void q2_k_load(const uint8_t *panels, size_t stride, size_t half, struct q2_k_rows *rows)
{
    const uint8_t *panel = panels + half * stride;
    for (int m = 0; m < 4; m++) {
        __m128i first = q2_k_load_128(panel + 32 + 32 * m), second = q2_k_load_128(panel + 48 + 32 * m);
        rows->groups[m] = _mm256_setr_m128i(_mm_unpacklo_epi16(first, second), _mm_unpackhi_epi16(first, second));
    }
    for (int h = 0; h < 8; h++) {
        __m256 low = _mm256_castsi256_ps(q2_k_load_256(panel + 160 + 64 * h));
        __m256 high = _mm256_castsi256_ps(q2_k_load_256(panel + 192 + 64 * h));
        /* of rows 0, 1, 4, 5, 2, 3, 6, 7 */
        __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
        __m256i odd = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xdd));
        rows->codes[2 * h] = _mm256_permute4x64_epi64(even, 0xd8);
        rows->codes[2 * h + 1] = _mm256_permute4x64_epi64(odd, 0xd8);
    }
    rows->d = q2_k_load_128(panel);
    rows->dmin = q2_k_load_128(panel + 16);
}
