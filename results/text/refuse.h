/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/** Put the reason into why (always terminated) and return the error, so that a caller can `return refuse(…)`. */
__attribute__((format(printf, 4, 5))) static inline int refuse(int error, char *why, size_t size, const char *format,
                                                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return error;
}
