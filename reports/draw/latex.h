/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * What gnuplot's cairolatex terminal writes, as LaTeX takes it. The terminal hands texts on as they are; here what LaTeX would take
 * for commands is escaped, whoever wrote it, and the Greek letters and marks of figures become commands of LaTeX and amssymb, so
 * that pdflatex, lualatex and xelatex typeset them. Other letters stay UTF-8.
 *
 * @param drawn    what the terminal wrote
 * @param graphic  name under which it includes the lines and marks, without suffix
 * @param named    name under which they will be
 * @param caption  what the \\caption says if the picture is read within an environment that has captions, such as figure; NULL: none
 * @return         the text; the caller frees. NULL without memory
 */
char *latex_text(const char *drawn, const char *graphic, const char *named, const char *caption);
