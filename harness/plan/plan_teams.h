/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_TEAMS_H
#define HARNESS_PLAN_PLAN_TEAMS_H

#include <stddef.h>

/** Team sizes to measure: 1, 2, 4, … and the widest. @return count, at most 16 */
size_t plan_team_sizes(unsigned widest, unsigned sizes[16]);

#endif
