# SPDX-License-Identifier: BSD-3-Clause
# Table 2 of the Arm paper. Drawn by reports/draw/rate_grid.gnuplot, which follows; arm_2.dat: reports/draw/rate_grid.h.
