/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_ISA_ROWS_INLINE_H
#define MICRO_ISA_ROWS_INLINE_H

/** A function on vectors, part of the loop over rows that calls it. */
#define ROWS_INLINE static inline __attribute__((always_inline))

#endif
