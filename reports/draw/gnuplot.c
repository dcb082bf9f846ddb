/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platforms/clock/clock.h"

/** The oldest that the figures are tested with. */
enum { OLDEST_MAJOR = 5, OLDEST_MINOR = 4 };

#define REMEDY "install gnuplot-nox (Debian: apt-get install gnuplot-nox)"

/* In the child: become gnuplot, or tell the parent's pipe why not. Only async-signal-safe calls. */
static _Noreturn void become_gnuplot(const char *folder, char *const *arguments, int complaints, int failure)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int error = 0;
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(complaints, STDOUT_FILENO) < 0 ||
        dup2(complaints, STDERR_FILENO) < 0 || chdir(folder) != 0)
        error = errno;
    if (!error) {
        execvp(arguments[0], arguments);
        error = errno;
    }
    ssize_t ignored = write(failure, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* Read what gnuplot says until it closes the pipe. @return 0 or -ETIMEDOUT */
static int listen(int descriptor, char *text, size_t size)
{
    double deadline = clock_monotonic_s() + GNUPLOT_TIME_LIMIT_S;
    size_t length = 0;
    text[0] = 0;
    for (;;) {
        double left = deadline - clock_monotonic_s();
        struct pollfd wait = {.fd = descriptor, .events = POLLIN};
        int ready = left > 0 ? poll(&wait, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return -ETIMEDOUT;
        char chunk[512];
        ssize_t got = read(descriptor, chunk, sizeof chunk);
        if (got <= 0)
            return 0;
        for (ssize_t i = 0; i < got && length + 1 < size; i++)
            text[length++] = chunk[i];
        text[length] = 0;
    }
}

/* The line of gnuplot's complaint that says something: not the echo of the script, not the caret under it. */
static void first_complaint(const char *complaints, char *line, size_t size)
{
    snprintf(line, size, "no message");
    for (const char *at = complaints; *at;) {
        size_t length = strcspn(at, "\n");
        const char *message = strstr(at, ": ");
        if (message && message < at + length && strchr("\"'", *at)) {
            snprintf(line, size, "%.*s", (int)length, at);
            return;
        }
        if (length && strncmp(line, "no message", size) == 0 && *at != ' ' && *at != '^')
            snprintf(line, size, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

/* Collect the child's exit. @return 0 or -EIO */
static int reap(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return -errno;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* Parent's half, once the child runs. @return as converse */
static int watch(pid_t child, int complaints, int failure, char *said, size_t said_size, char *why, size_t size)
{
    int timed_out = listen(complaints, said, said_size);
    if (timed_out)
        kill(child, SIGKILL);
    int exited = reap(child);
    int exec_error = 0;
    if (read(failure, &exec_error, sizeof exec_error) == (ssize_t)sizeof exec_error && exec_error) {
        if (exec_error == ENOENT)
            snprintf(why, size, "gnuplot is not installed; " REMEDY);
        else
            snprintf(why, size, "cannot run gnuplot: %s", strerror(exec_error));
        return -exec_error;
    }
    if (timed_out)
        snprintf(why, size, "gnuplot did not finish within %d s and was stopped", GNUPLOT_TIME_LIMIT_S);
    return timed_out ? timed_out : exited;
}

/* Run gnuplot in a folder and collect what it says. @return 0; -EIO it failed, why is not set; other errno with why */
static int converse(const char *folder, char *const *arguments, char *said, size_t said_size, char *why, size_t size)
{
    int complaints[2], failure[2];
    if (pipe2(complaints, O_CLOEXEC) != 0) {
        snprintf(why, size, "cannot make a pipe to gnuplot: %s", strerror(errno));
        return -EMFILE;
    }
    if (pipe2(failure, O_CLOEXEC) != 0) {
        snprintf(why, size, "cannot make a pipe to gnuplot: %s", strerror(errno));
        close(complaints[0]);
        close(complaints[1]);
        return -EMFILE;
    }
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, arguments, complaints[1], failure[1]);
    int error = child < 0 ? -errno : 0;
    close(complaints[1]);
    close(failure[1]);
    if (error)
        snprintf(why, size, "cannot start gnuplot: %s", strerror(-error));
    else
        error = watch(child, complaints[0], failure[0], said, said_size, why, size);
    close(complaints[0]);
    close(failure[0]);
    return error;
}

int gnuplot_check(char *why, size_t size)
{
    char *const arguments[] = {"gnuplot", "--version", NULL};
    char said[256] = "";
    unsigned major, minor;
    int error = converse(".", arguments, said, sizeof said, why, size);
    if (error && error != -EIO)
        return error;
    if (sscanf(said, "gnuplot %u.%u", &major, &minor) != 2 || major > OLDEST_MAJOR ||
        (major == OLDEST_MAJOR && minor >= OLDEST_MINOR))
        return 0;
    snprintf(why, size, "gnuplot %u.%u is too old, the figures need %d.%d or later; " REMEDY, major, minor,
             OLDEST_MAJOR, OLDEST_MINOR);
    return -ENOENT;
}

int gnuplot_run(const char *folder, const char *script, const char *format, const char *output, char *why, size_t size)
{
    char settings[512], said[4096], line[256];
    snprintf(settings, sizeof settings, "format='%s'; output='%s'", format, output);
    char *const arguments[] = {"gnuplot", "-d", "-e", settings, (char *)script, NULL};
    static bool new_enough; /* asked once: a report draws all its figures with the same one */
    int error = new_enough ? 0 : gnuplot_check(why, size);
    if (error)
        return error;
    new_enough = true;
    error = converse(folder, arguments, said, sizeof said, why, size);
    if (error != -EIO)
        return error;
    first_complaint(said, line, sizeof line);
    snprintf(why, size, "gnuplot failed on %s: %s", script, line);
    return error;
}

/**
 * Bytes of the UTF-8 character that the text begins with; 0: none, as where a text was cut within one, or a character
 * that XML does not have (U+FFFE, U+FFFF).
 */
static size_t character_bytes(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t bytes = byte[0] < 0x80   ? 1
                   : byte[0] < 0xc2 ? 0
                   : byte[0] < 0xe0 ? 2
                   : byte[0] < 0xf0 ? 3
                   : byte[0] < 0xf5 ? 4
                                    : 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    }
    return bytes == 3 && byte[0] == 0xef && byte[1] == 0xbf && byte[2] >= 0xbe ? 0 : bytes;
}

/** Write the character that the text begins with, a blank for what cannot be drawn. @return bytes that it has */
static size_t write_character(FILE *out, const char *text)
{
    /* gnuplot leaves '>' as it is in an SVG, and no text of XML may have these three */
    if (strncmp(text, "]]>", 3) == 0) {
        fputs("]] ", out);
        return 2;
    }
    size_t bytes = character_bytes(text);
    if (bytes == 0 || (unsigned char)*text < ' ')
        fputc(' ', out);
    else
        fwrite(text, 1, bytes, out);
    return bytes ? bytes : 1;
}

void gnuplot_write_string(FILE *script, const char *text)
{
    fputc('\'', script);
    while (*text) {
        bool quotes = *text == '\'' || *text == '`';
        if (quotes)
            fputs("’", script);
        text += quotes ? 1 : write_character(script, text);
    }
    fputc('\'', script);
}

void gnuplot_write_field(FILE *data, const char *text)
{
    fputc('"', data);
    while (*text) {
        bool special = *text == '"' || *text == '\\';
        if (special)
            fputc(*text == '"' ? '\'' : '/', data);
        text += special ? 1 : write_character(data, text);
    }
    fputc('"', data);
}

void gnuplot_write_row(FILE *data, const char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(data, format, arguments);
    va_end(arguments);
    gnuplot_write_field(data, text);
    fputc('\n', data);
}

void gnuplot_end_block(FILE *data, bool has_points, size_t numbers, size_t texts)
{
    for (size_t i = 0; !has_points && i < numbers + texts; i++)
        fprintf(data, "%s%s", i ? " " : "", i < numbers ? "NaN" : "\"\"");
    fputs(has_points ? "\n\n" : "\n\n\n", data);
}
