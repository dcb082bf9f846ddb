# SPDX-License-Identifier: BSD-3-Clause
# Classic roofline of the largest team: operations per byte of packed weights against operations per second.
# roofline.dat: a block a slope (level), a block a ceiling (sequence), a block a cloud of measured GEMVs.
set logscale xy
set xlabel 'intensity: operations per byte of packed weights (2 per weight)'
set ylabel 'operations per second (Gop/s)'
set xrange [x_min:x_max]
set yrange [y_min:y_max]
set xtics (0.5,1,2,4,8,16,32,64)
set format y '%.0f'
set rmargin at screen 0.70
set lmargin at screen 0.105
set bmargin at screen 78.0/height
set key font font_small spacing 1.08 samplen 4
plot for [i=1:slopes] 'roofline.dat' index i-1 using 1:2 with lines linewidth 1.8 dashtype slope_dash[i] linecolor rgb slope_colour[i] title slope_title[i], \
     for [i=1:ceilings] 'roofline.dat' index slopes+i-1 using 1:2 with lines linewidth 1.8 dashtype ceiling_dash[i] linecolor rgb ceiling_colour[i] title ceiling_title[i], \
     for [i=1:clouds] 'roofline.dat' index slopes+ceilings+i-1 using 1:2 with points pointtype cloud_mark[i] pointsize 0.65 linecolor rgb cloud_colour[i] title cloud_title[i], \
     for [i=1:slopes] 'roofline.dat' index i-1 using ($0 == 0 ? $1 : NaN):2:(slope_title[i]) @hover, \
     for [i=1:ceilings] 'roofline.dat' index slopes+i-1 using 1:2:(sprintf('%s: at most %.0f Gop/s',ceiling_title[i],$2)) @hover, \
     for [i=1:clouds] 'roofline.dat' index slopes+ceilings+i-1 using 1:2:(sprintf('%s, %s: %.0f Gop/s',strcol(4),strcol(3),$2)) @hover
