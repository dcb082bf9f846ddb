/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A fuzz target, fuzz/<name>.c, is one function that is given any bytes:
 *
 *     FUZZ_TARGET(bytes, length) { … }
 *
 * It parses them as what <name> says, uses what was accepted as the tool does, and returns having freed all. What must
 * hold of any input is said with hold(). Its corpus is packed in fuzz/corpus/<name>.txt (scripts/pack), and fuzz/<name>.dict, where
 * there is one, has words for libFuzzer. make finds targets by wildcard and gives each its name in SELF.
 */
#define FUZZ_TARGET(bytes, length)                                                                                     \
    void SELF(const uint8_t *bytes, size_t length);                                                                    \
    void SELF(const uint8_t *bytes, size_t length)

/** End the program, as a finding, where a condition is broken. */
static inline void hold(bool condition)
{
    if (!condition)
        __builtin_trap();
}

/** A refusal says something. What it quotes may be any bytes: whoever shows it escapes them (results/text/text_escape.h). */
void hold_refusal(const char *why);

enum { FUZZ_PATH = 64 };

/**
 * The bytes as a file that has no name but this one. A process has one at a time.
 * @return its path, which stays the same
 */
const char *fuzz_file(const uint8_t *bytes, size_t length);

/** A copy that ends with a zero, which the caller frees: for parsers of text. */
char *fuzz_text(const uint8_t *bytes, size_t length);

/** A folder of this process below TMPDIR, empty at first; it is removed at exit with the files that fuzz_write made there. */
const char *fuzz_folder(void);

/** A file of that folder in place of what it was. */
void fuzz_write(const char *name, const void *bytes, size_t length);
