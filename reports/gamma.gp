# SPDX-License-Identifier: BSD-3-Clause
# Gamma against the number of independent accumulators: one panel a width of weights, one line a sequence and ISA.
# gamma.dat: a block a line (accumulators, gamma, its 95% interval, name), then a block a panel of the paper's claims.
set multiplot layout 1,panels margins 0.082,0.985,key_share,1-115.0/height spacing 0.035
set logscale y 2
set logscale x 2
set xtics (1,2,4,8,12,16,24,32)
set ytics y_low,2,1e6
set yrange [0.85*y_low:y_high]
set xrange [0.85:x_max]
set xlabel 'independent accumulators'
do for [p=1:panels] {
    set title panel_title[p] font font_panel textcolor rgb ink offset 0,-0.6
    if (p == 1) { set ylabel 'γ: core cycles per vector of 32 weights' offset 0.2,0; set format y '%.3g' } else { unset ylabel; set format y '' }
    set key at graph 0,(-0.26) left top vertical maxrows key_rows samplen 4 spacing 1.15 font font_small
    if (p == 2) { unset label 901; unset label 902 }
    plot for [i=panel_first[p]:panel_last[p]] 'gamma.dat' index i-1 using 1:2 with linespoints linewidth 1.8 pointsize 0.8 \
             dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title line_title[i], \
         'gamma.dat' index lines+p-1 using 1:2 with points pointtype 2 pointsize 1.5 linewidth 2 linecolor rgb ink \
             title panel_claims[p] > 0 ? 'claimed by the paper' : ''
}
unset multiplot
