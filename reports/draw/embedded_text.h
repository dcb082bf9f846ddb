/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/** Text of a data file that travels inside the binary, by its path from the root; "" if there is none. */
const char *embedded_text(const char *path);

/** The same by the name of the file, in whichever folder below this one it lies. */
const char *embedded_text_below(const char *folder, const char *name);
