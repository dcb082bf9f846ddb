# SPDX-License-Identifier: BSD-3-Clause
# Figure 6 of the Arm paper: one user's token and prompt by model size. Drawn by reports/draw/rate_grid.gnuplot, which follows;
# arm_6.dat: reports/draw/rate_grid.h.
