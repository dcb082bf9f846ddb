/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * Colours of a heat map, 0xRRGGBB: one hue from light to dark, which stays readable in grey and to colour-blind readers, and the
 * colour in which a number is readable on it (contrast 4.5:1 at least). A map prints its numbers; the colour only leads the eye.
 *
 * @param share  0 the lightest to 1 the darkest; what lies outside or is NaN is taken to the nearer end, NaN to 0
 */
unsigned heat_colour(double share);
unsigned heat_text_colour(double share);
