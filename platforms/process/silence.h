/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/** Standard output and standard error of this process go nowhere for a while; what stdio has yet to write is written before and after. */
struct silence {
    int output, error; /* what they were; -1: not silenced */
};

void silence_begin(struct silence *silence);
/** 0, or a negative errno: standard output still goes nowhere. */
int silence_end(struct silence *silence);
