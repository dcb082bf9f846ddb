/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A disassembly of objdump as mca_loop() takes it, and llvm-mca's summary.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/assemble/mca.h"

FUZZ_TARGET(bytes, length)
{
    static char loop[8192];
    char *text = fuzz_text(bytes, length);
    size_t written = mca_loop(text, loop, sizeof loop);
    hold(written < sizeof loop && (written == 0 || strlen(loop) == written));
    hold(!(mca_cycles(text) < 0));
    free(text);
}
