/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/plan/product_job.h"

/**
 * Which kernels are worth measuring beside those of plug-ins: few samples of every product say which are the fastest of ours and of each plug-in,
 * for each width, shape, team, protocol and number of tokens. They choose and are not kept, so that the fastest of many is not the luckiest.
 */
struct peers_look {
    char (*names)[sizeof((struct cell *)0)->name]; /* of the cells that are chosen, sorted */
    size_t count;
};

void peers_look_release(struct peers_look *look);

/**
 * Take away, before any sample, what took a plug-in more than PEERS_LOOK_LONG_S when it was tried, and PEERS_LOOK_TRIED times as long as another
 * kernel of that plug-in: a first call is no more exact than that.
 */
#define PEERS_LOOK_LONG_S 10e-3
#define PEERS_LOOK_TRIED  3
void peers_look_leave_out(const struct product_job *job, const struct session *session, struct cells *cells);

/** Suspend those that a sample of each leaves no doubt about: alone on their side, or more than PEERS_LOOK_FAR times as slow as its fastest. */
#define PEERS_LOOK_FAR 1.5
void peers_look_suspend(const struct session *session, struct cells *cells);

/**
 * Choose of cells that have samples: of each side the fastest, and what is not more than PEERS_LOOK_ALIKE slower; all of ours that a job names;
 * and those without samples, whose trouble is told when they are measured. 0 or -ENOMEM.
 */
#define PEERS_LOOK_ALIKE 1.03
int peers_look_choose(const struct product_job *job, const struct session *session, const struct cells *cells,
                      struct peers_look *look);

/** Take those cells from `first` on away that were not chosen. */
void peers_look_keep(const struct peers_look *look, struct cells *cells, size_t first);
