# SPDX-License-Identifier: BSD-3-Clause
# Tokens a second of one user over threads. arm_7.dat: block 0 the roof (threads, GB/s), then a block for each line: threads, tokens/s,
# GB/s of weights, low and high of the tokens, kernels; then one for each line of whole passes: threads, tokens/s, GB/s.
key_rows = (lines+2)/2
set multiplot layout 1,2 margins from_left(narrow ? 74 : 81),(narrow ? from_right(8) : 0.79),from_bottom(narrow ? 70+key_row*key_rows : 66),from_top(headroom+(narrow ? 6 : 18)) spacing (narrow ? 0.18 : 0.085)
set xrange [0.7:threads_max+0.3]
set yrange [0:*]
set offsets 0,0,graph 0.08,0
if (threads_max <= 16) { set xtics 1 } else { set xtics autofreq }
set xlabel 'threads'
set ylabel narrow ? 'tokens/s' : model.', tokens/s that the GEMVs allow'
unset key
if (passes) { set label 8 '◆ the whole model run' at graph 0.03,0.96 left font font_small textcolor rgb ink }
plot for [i=1:lines] 'arm_7.dat' index i using 1:4:(0):($5-$4) with vectors nohead linewidth 1.4 linecolor rgb line_colour[i] title '', \
     for [i=1:lines] '' index i using 1:2 with linespoints linewidth 2 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title '', \
     for [i=1:(passes ? lines : 0)] '' index lines+i using 1:2 with points pointtype 13 pointsize 1.1 linecolor rgb ink title '', \
     for [i=1:(passes ? lines : 0)] '' index lines+i using 1:2 with points pointtype 13 pointsize 0.6 linecolor rgb line_colour[i] title '', \
     for [i=1:(passes ? lines : 0)] '' index lines+i using 1:2:(sprintf('%s with %s, the whole model run: %.4g tokens/s',line_title[i],threads($1),$2)) @hover, \
     for [i=1:lines] '' index i using 1:2:(sprintf('%s with %s: %.4g tokens/s, %s',line_title[i],threads($1),$2,strcol(6))) @hover
unset label
set ylabel 'GB/s of packed weights'
if (narrow) { set key at screen from_left(8),from_bottom(8) left bottom vertical maxcols 2 maxrows key_rows samplen 2 spacing 1.15 font font_small width -1 } else { set key at graph 1.05,1 left top }
plot 'arm_7.dat' index 0 using 1:2 with linespoints pointtype 0 linewidth 1.6 dashtype 3 linecolor rgb ink title 'read roof (β)', \
     for [i=1:lines] '' index i using 1:3 with linespoints linewidth 2 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title line_title[i], \
     for [i=1:(passes ? lines : 0)] '' index lines+i using 1:3 with points pointtype 13 pointsize 1.1 linecolor rgb ink title '', \
     for [i=1:(passes ? lines : 0)] '' index lines+i using 1:3 with points pointtype 13 pointsize 0.6 linecolor rgb line_colour[i] title '', \
     '' index 0 using 1:2:(sprintf('read roof with %s: %.2f GB/s',threads($1),$2)) @hover, \
     for [i=1:lines] '' index i using 1:3:(sprintf('%s with %s: %.2f GB/s',line_title[i],threads($1),$3)) @hover
unset multiplot
