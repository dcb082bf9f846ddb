# SPDX-License-Identifier: BSD-3-Clause
# Effective bandwidth over beta (envelope, Fig. 4): a model line min(beta, B/gamma) per sequence, this machine's beta as bars,
# measured cold GEMVs on them.
# knee.dat: block 0 beta and its label; then a block a line (beta, e_bw); then a block a kernel (beta, median, min, max).
set xlabel 'β: bytes per core cycle that one core reads while all cores read'
set ylabel 'effective bandwidth per core (bytes per core cycle)'
set xrange [0:x_max]
set yrange [0:y_max]
do for [i=1:bars] {
    set arrow from bar_beta[i],0 to bar_beta[i],y_max nohead linecolor rgb ink linewidth 1.2 dashtype 3 back
}
set label bar_label at bar_beta[bars],y_max offset 0.8,-0.8 textcolor rgb ink
plot for [i=1:lines] 'knee.dat' index i using 1:2 with lines linewidth 2.2 dashtype line_dash[i] linecolor rgb line_colour[i] title line_title[i], \
     for [i=1:clouds] 'knee.dat' index lines+i using 1:2:3:4 with yerrorbars pointtype cloud_mark[i] pointsize 0.75 linewidth 1.1 \
         linecolor rgb cloud_colour[i] title cloud_title[i]
