/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

/** cmocka, and what it wants before it: for tests, and for what several of them share. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
