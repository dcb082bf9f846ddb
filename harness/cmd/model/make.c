/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/interruption.h"
#include "harness/cmd/model/model_command.h"
#include "harness/command/exit_code.h"
#include "harness/gguf/made/made_file.h"
#include "platforms/clock/clock.h"

static const char command_name[] = "model";

static void print_made(const struct listed_file *listed, const char *path, uint64_t bytes, double seconds)
{
    const double mib = 1 << 20;
    double weights = 0;
    for (size_t i = 0; i < listed->file.tensor_count; i++)
        weights += (double)listed->tensor[i].size[0] * (double)listed->tensor[i].size[1];
    printf("%s: %.1f MiB, %s in %zu tensors, %g weights of %.2f bits\n", path, (double)bytes / mib, listed->model.name,
           listed->file.tensor_count, weights, 8 * (double)listed->file.bytes / weights);
    printf("Written in %.1f s. What a token of it needs: kneepoint model %s\n", seconds, path);
}

int model_make(const struct listed_file *listed, const char *path)
{
    char why[4608];
    uint64_t bytes;
    interruption_catch(command_name);
    const volatile int *stop = interruption_watch(); /* since what is half written must go */
    const double begin_s = clock_monotonic_s();
    int error = made_file_write(listed, path, stop, &bytes, why, sizeof why);
    if (error)
        return complain(error == -EINTR ? EXIT_INTERRUPTED : EXIT_USAGE, command_name, "--make: %s", why);
    print_made(listed, path, bytes, clock_monotonic_s() - begin_s);
    return fflush(stdout) ? EXIT_USAGE : EXIT_DONE;
}
