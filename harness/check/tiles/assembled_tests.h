/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * Machine code of tests, from the GNU assembler when the test runs: a compiler's own assembler may not know all of AMX.
 * Intel syntax. @return its bytes in code, 0 if it does not assemble
 */
static inline size_t assembled(const char *text, uint8_t *code, size_t size)
{
    char folder[] = "/tmp/kneepoint_tiles_XXXXXX", command[256];
    size_t length = 0;
    if (!mkdtemp(folder))
        return 0;
    snprintf(command, sizeof command,
             "cd %s && as -march=generic64+sse2+amx_tile+amx_int8+amx_bf16+amx_fp16 -o code.o - && "
             "objcopy -O binary -j .text code.o code",
             folder);
    FILE *assembler = popen(command, "w");
    if (assembler) {
        fprintf(assembler, ".intel_syntax noprefix\n%s", text);
        snprintf(command, sizeof command, "%s/code", folder);
        FILE *file = pclose(assembler) == 0 ? fopen(command, "r") : NULL;
        if (file) {
            length = fread(code, 1, size, file);
            fclose(file);
        }
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? length : 0;
}
