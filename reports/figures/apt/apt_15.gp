# SPDX-License-Identifier: BSD-3-Clause
# The stages of the ablation. apt_15.dat: one block (place, times as fast as basic, us, colour, what).
set style fill solid 0.95 noborder
set grid noxtics ytics
set boxwidth 0.86
set lmargin at screen from_left(narrow ? room(60) : 76)
set rmargin at screen from_right(narrow ? 8 : 16)
set tmargin at screen from_top(headroom+10)
set bmargin at screen from_bottom(narrow ? 84 : 84)
set xrange [-0.8:stages*(bars+2)-1.2]
set yrange [0:1.14*most]
set ylabel 'times as fast as basic' offset 0.5,0
set xtics scale 0 font font_normal
set xtics ()
do for [s=1:stages] { set xtics add (stage_title[s] (s-1)*(bars+2)+bars/2.0) }
set key at screen 0.5,from_bottom(16) center bottom horizontal maxcols 4 samplen 1.8 font font_normal
plot 'apt_15.dat' using 1:2:4 with boxes linecolor rgb variable title '', \
     '' using 1:2:(sprintf('%.2f',$2)) with labels offset 0,0.6 font font_small textcolor rgb ink title '', \
     '' using 1:(0):($3 > 0 ? sprintf('%.0f us',$3) : '') with labels offset 0,0.8 font font_tiny textcolor rgb '#ffffff' title '', \
     NaN with boxes linecolor rgb '#b0b0b0' title 'the paper, RTX 3090', \
     for [b=1:bars] NaN with boxes linecolor rgb bar_colour[b] title 'here, '.bar_title[b], \
     '' using 1:2:(strcol(5)) @hover
