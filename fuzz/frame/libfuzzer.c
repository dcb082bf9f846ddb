/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A target as libFuzzer and fuzz/frame/driver.c call it.
 */
#include <stddef.h>
#include <stdint.h>

void SELF(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    SELF(bytes, length);
    return 0;
}
