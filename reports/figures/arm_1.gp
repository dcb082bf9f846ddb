# SPDX-License-Identifier: BSD-3-Clause
# Table 1 of the Arm paper. Drawn by reports/draw/rate_grid.gnuplot, which follows; arm_1.dat: reports/draw/rate_grid.h.
