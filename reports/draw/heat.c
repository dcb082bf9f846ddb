/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/heat.h"

#include <math.h>

enum { STOPS = 6, CHANNELS = 3 };

/* Light to dark. The fourth step is the longest: black on a middle blue has the contrast that is asked for and is hard to read
 * nevertheless. */
static const unsigned stops[STOPS] = {0xf4f7fb, 0xdae8f4, 0xbfd8ec, 0x9dc4e3, 0x2468a6, 0x0c4a80};

/* Neither is a colour that the page exchanges in the dark, as it does black. */
static const unsigned dark_text = 0x010101, light_text = 0xffffff;

static double channel(unsigned colour, int at)
{
    return (colour >> (16 - 8 * at)) & 0xff;
}

unsigned heat_colour(double share)
{
    double place = share > 0 ? fmin(share, 1) * (STOPS - 1) : 0;
    int below = (int)fmin(place, STOPS - 2);
    unsigned colour = 0;
    for (int i = 0; i < CHANNELS; i++) {
        double from = channel(stops[below], i), to = channel(stops[below + 1], i);
        colour = colour << 8 | (unsigned)lround(from + (place - below) * (to - from));
    }
    return colour;
}

/* Relative luminance of WCAG 2. */
static double luminance(unsigned colour)
{
    static const double weight[CHANNELS] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < CHANNELS; i++) {
        double value = channel(colour, i) / 255;
        sum += weight[i] * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}

unsigned heat_text_colour(double share)
{
    double ground = luminance(heat_colour(share)) + 0.05;
    double on_dark = (luminance(light_text) + 0.05) / ground, on_light = ground / (luminance(dark_text) + 0.05);
    return on_dark > on_light ? light_text : dark_text;
}
