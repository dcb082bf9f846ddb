# SPDX-License-Identifier: BSD-3-Clause
# Tokens per second over threads, and beside it the bandwidth, each line labelled where it ends. The data: block 0 the roof
# (threads, GB/s), then one block per kernel (threads, tokens/s, GB/s, GB a token), and one per kernel of whole passes (threads, tokens/s, GB/s).
file = figure.'.dat'
set multiplot
set xrange [threads_min-0.3*(threads_max > threads_min ? 1 : 0)-0.2:threads_max+0.15]
if (threads_max <= 16) { set xtics 1 font font_normal } else { set xtics autofreq font font_normal }
set ytics font font_normal
set xlabel 'threads' font font_normal offset 0,0.3
set bmargin at screen from_top(headroom+40+plot_height)
set tmargin at screen from_top(headroom+40)
unset key
label_room = narrow ? 92 : 118
begin(p) = (p-1)*width/2.0+(narrow ? 50 : 58)
array heads[2] = [narrow ? 'tokens/s' : 'tokens/s that the GEMVs allow', narrow ? 'GB/s of weights' : 'GB/s of packed weights']
do for [p=1:2] {
    set lmargin at screen from_left(begin(p))
    set rmargin at screen from_left(p*width/2.0-label_room)
    set yrange [0:axis_end(p == 1 ? tokens_max : rate_max)]
    if (p > 1) { unset label }
    set label 5 heads[p] at graph 0,1.06 left font (narrow ? font_small : font_panel) textcolor rgb ink
    do for [i=1:lines] { set label 10+i line_title[i] at graph 1.04,first (p == 1 ? tokens_label[i] : rate_label[i]) left font (narrow ? font_tiny : font_small) textcolor rgb ink }
    if (p == 1 && passes) { set label 8 '◆ the whole model run' at graph 0.03,0.96 left font font_small textcolor rgb ink }
    if (p == 2 && has_roof) { set label 9 'read roof (β)' at graph 1.04,first rate_label[lines+1] left font (narrow ? font_tiny : font_small) textcolor rgb ink }
    plot for [i=1:lines] file index i using 1:1+p with linespoints linewidth 2 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title '', \
         for [i=1:(passes ? lines : 0)] file index lines+i using 1:1+p with points pointtype 13 pointsize 1.1 linecolor rgb ink title '', \
         for [i=1:(passes ? lines : 0)] file index lines+i using 1:1+p with points pointtype 13 pointsize 0.6 linecolor rgb line_colour[i] title '', \
         file index 0 using (p == 2 && has_roof ? $1 : NaN):2 with linespoints pointtype 0 linewidth 1.6 dashtype 3 linecolor rgb ink title '', \
         for [i=1:lines] file index i using 1:1+p:(sprintf('%s with %s: %.4g tokens/s, %.2f GB/s',line_title[i],threads($1),$2,$3)) @hover, \
         for [i=1:(passes ? lines : 0)] file index lines+i using 1:1+p:(sprintf('%s with %s, the whole model run: %.4g tokens/s, %.2f GB/s',line_title[i],threads($1),$2,$3)) @hover
}
unset multiplot
