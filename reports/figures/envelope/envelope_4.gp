# SPDX-License-Identifier: BSD-3-Clause
# Effective bandwidth over beta, with a vertical bar for each machine's beta.
# envelope_4.dat: block 0 the bars (beta, colour, label), then one block per line (beta, e_bw).
set lmargin at screen from_left(narrow ? room(56) : 74)
set rmargin at screen (narrow ? from_right(16) : 0.72)
key_rows = (lines+1)/2
set bmargin at screen from_bottom(narrow ? 84+key_row*key_rows : 66)
set xrange [0:axis_end(x_max)]
set yrange [0:axis_end(x_max)]
set xlabel 'Bandwidth that memory gives, β (B/cycle/core)'
set ylabel 'Effective bandwidth (B/cycle/core)'
set key spacing 1.25 samplen 4
if (narrow) { set key at screen from_left(12),from_bottom(8) left bottom vertical maxcols 2 maxrows key_rows samplen 1.8 spacing 1.15 font font_small width -1 }
plot 'envelope_4.dat' index 0 using 1:(0):(0):(0.80*x_max):2 with vectors nohead linewidth 1.2 linecolor rgb variable title '', \
     '' index 0 every (narrow ? 2 : 1) using 1:(0.82*x_max):3:2 with labels left rotate by 90 font font_tiny textcolor rgb variable title '', \
     '' index 0 every 2::1 using (narrow ? $1 : NaN):(0.5*x_max):3:2 with labels left rotate by 90 offset 0.9,0 font font_tiny textcolor rgb variable title '', \
     for [i=1:lines] '' index i using 1:2 with lines linewidth (line_mark[i] ? 3.6 : 2) dashtype line_dash[i] linecolor rgb line_colour[i] title line_title[i], \
     '' index 0 using 1:(0.80*x_max):(sprintf('β of %s bytes per core cycle',strcol(3))) @hover, \
     for [i=1:lines] '' index i using ($0 == 1 ? $1 : NaN):2:(sprintf('%s bytes per core cycle',line_title[i])) @hover
