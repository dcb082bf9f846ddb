# SPDX-License-Identifier: BSD-3-Clause
# Classic roofline of the largest team: operations per byte of packed weights against operations per second.
# roofline.dat: one block per slope (level), one block per ceiling (sequence), one block per cloud of measured GEMVs.
set logscale xy
set xlabel 'intensity: operations per byte of packed weights (2 per weight)'
set ylabel 'operations per second (Gop/s)'
set xrange [x_min:x_max]
set yrange [y_min:y_max]
set xtics (0.5,1,2,4,8,16,32,64)
set format y '%.0f'
set ytics ()
do for [d=-1:6] { do for [m in '1 2 5'] { set ytics add (sprintf('%g',m*10**d) m*10**d) } }
key_rows = (slopes+ceilings+5)/2
set rmargin at screen (narrow ? from_right(14) : 0.70)
set lmargin at screen from_left(narrow ? room(66) : 103)
set bmargin at screen from_bottom(narrow ? 84+(key_row-2)*key_rows : 78)
if (narrow) { set key at screen from_left(8),from_bottom(6) left bottom vertical maxcols 2 maxrows key_rows font font_small spacing 1.05 samplen 2.6 width -1 } else { set key font font_small spacing 1.08 samplen 4 }
plot for [i=1:slopes] 'roofline.dat' index i-1 using 1:2 with lines linewidth 1.8 dashtype slope_dash[i] linecolor rgb slope_colour[i] title slope_title[i], \
     for [i=1:ceilings] 'roofline.dat' index slopes+i-1 using 1:2 with lines linewidth 1.8 dashtype ceiling_dash[i] linecolor rgb ceiling_colour[i] title ceiling_title[i], \
     for [i=1:clouds] 'roofline.dat' index slopes+ceilings+i-1 using 1:2:5:2 with yerrorbars pointtype 0 linewidth 1.4 linecolor rgb cloud_colour[i] title '', \
     for [i=1:clouds] 'roofline.dat' index slopes+ceilings+i-1 using 1:2 with points pointtype cloud_mark[i] pointsize 1.05 linecolor rgb cloud_colour[i] title '', \
     for [i=1:slopes] 'roofline.dat' index i-1 using ($0 == 0 ? $1 : NaN):2:(slope_title[i]) @hover, \
     for [i=1:ceilings] 'roofline.dat' index slopes+i-1 using 1:2:(sprintf('%s: at most %.0f Gop/s',ceiling_title[i],$2)) @hover, \
     for [i=1:marks] NaN with points pointtype mark_mark[i] pointsize 0.8 linecolor rgb ink title mark_title[i], \
     for [i=1:clouds] 'roofline.dat' index slopes+ceilings+i-1 using 1:2:(sprintf('%s, %s: %.0f Gop/s, the fastest of %g, the slowest %.0f',strcol(4),strcol(3),$2,$6,$5)) @hover
