/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.c) no sequence of a user is checked: its code would run on this one.
 */
#include "platforms/machine/machine_standin.h"

#include "harness/user/user_sequences.h"

int __real_user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                               const volatile int *stop, char *why, size_t size);
int __wrap_user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                               const volatile int *stop, char *why, size_t size);

int __wrap_user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                               const volatile int *stop, char *why, size_t size)
{
    sequences->directory[0] = '\0';
    int error = machine_standin_refuse(why, size);
    return error ? error : __real_user_sequences_open(sequences, arguments, count, seed, stop, why, size);
}
