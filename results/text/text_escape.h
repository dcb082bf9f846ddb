/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/**
 * Control characters in texts that come from elsewhere: an ESC in a name would move the cursor of the terminal that it
 * is printed to, and end a line of Markdown or a cell of a table. They are made visible, "\x1b".
 */

/**
 * C0 with tab and newline, DEL, and the C1 that UTF-8 writes as two bytes.
 * @param out  size bytes; cut where it is full, never within a character made visible
 * @return out
 */
char *text_escape(const char *text, char *out, size_t size);

/** Bytes of a text that is no UTF-8, as where it was cut within a character, become question marks if they are no ASCII. @return text */
char *text_utf8(char *text);

/** Control characters of every text of a JSON value made visible, and of the names of members. @return 0 or -ENOMEM */
int text_escape_json(json_t *value);
