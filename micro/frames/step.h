/* SPDX-License-Identifier: BSD-3-Clause
 *
 * struct step_weights: the registers of STEP_WEIGHTS, which the including file defines as micro/frames/gamma.h says.
 */
#ifndef MICRO_FRAMES_STEP_H
#define MICRO_FRAMES_STEP_H

#define STEP_MEMBER(number, type, name) type name;

struct step_weights {
    STEP_WEIGHTS(STEP_MEMBER)
};

#endif
