# SPDX-License-Identifier: BSD-3-Clause
# Planes against integers over tokens and pairs of bits, two panels a machine. apt_crossover.dat: for each panel a block of points (tokens, p q,
# place beside others, ratio, 1 if known, colour, what), one of predicted boundaries (tokens, against int8, int4, int2), one of the
# measured boundary (tokens, p q, 1 if all won, -1 if none did) and one of labels (tokens, p q, place, ratio, 1 right or -1 left).
columns = narrow ? 1 : 2
rows = (panels+columns-1)/columns
below = narrow ? 6*key_row+96 : 3*key_row+84
longest = 10
do for [h=1:heights] { longest = strlen(height_title[h]) > longest ? strlen(height_title[h]) : longest }
left = 24+longest*(narrow ? 6.8 : 6.2)
set multiplot layout rows,columns margins from_left(left),from_right(16),from_bottom(below),from_top(headroom+34) spacing (narrow ? 0 : left*1.0/width+0.008),(narrow ? 84.0/height : 78.0/height)
set logscale x 2
set logscale y 2
set xrange [x_min/(narrow ? 3 : 1.7):x_max*(narrow ? 2.2 : 1.7)]
set yrange [y_min:y_max]
set format x '%.0f'
set xtics scale 0.5
set ytics ()
# Names that would overlap the one below are left out; a point says its own on hover.
high = (height-headroom-34-below-(rows-1)*84.0)/rows
named = 0
do for [h=1:heights] { if (h == 1 || high*log(height_at[h]/named)/log(y_max/y_min) > 11) { set ytics add (height_title[h] height_at[h]); named = height_at[h] } else { set ytics add ('' height_at[h]) } }
set ytics scale 0 font font_tiny
unset grid
set grid noxtics ytics
times(ratio) = sprintf(ratio < 0.995 ? '%.2f' : ratio >= 9.95 ? '%.0f' : '%.1f',ratio)
shift(n,place) = n*2**(0.72*room_between*place)
unset key
shade = 0xd80072b2
dot = format eq 'svg' ? 1.1 : 1.6
do for [p=1:panels] {
    if (p > 1) { unset label 901; unset label 902 }
    block = 4*(p-1)
    set label 1 panel_title[p] at graph 0,1.1 left font font_panel textcolor rgb ink
    if (narrow) { set label 2 panel_says[p] at screen from_left(8),graph 1.035 left font font_tiny textcolor rgb ink } else { set label 2 panel_says[p] at graph 0,1.035 left font font_tiny textcolor rgb ink }
    set xlabel (p > panels-columns ? 'tokens N at once' : '')
    has = panel_predicted[p]; wide = panel_narrow[p] > 0 ? 0 : 1
    set label 3 'p·q' at graph -0.015,1.0 right font font_tiny textcolor rgb ink
    plot 'apt_crossover.dat' index block+1 using 1:(has ? (wide ? $2 : $4) : NaN):(y_min) with filledcurves fillcolor rgb shade fillstyle solid noborder title '', \
         '' index block+1 using 1:(has && wide ? $2 : NaN) with lines linewidth 1.8 linecolor rgb ink title '', \
         '' index block+1 using 1:(has && !wide ? $3 : NaN) with lines linewidth 1.2 dashtype 4 linecolor rgb ink title '', \
         '' index block+1 using 1:(has && !wide ? $4 : NaN) with lines linewidth 1.8 linecolor rgb ink title '', \
         '' index block+2 using 1:2 with lines linewidth 1.8 dashtype 2 linecolor rgb '#cc79a7' title '', \
         '' index block+2 using 1:($3 > 0 ? $2/1.06 : NaN) with points pointtype 9 pointsize 1.1 linecolor rgb '#cc79a7' title '', \
         '' index block+2 using 1:($3 < 0 ? $2*1.06 : NaN) with points pointtype 11 pointsize 1.1 linecolor rgb '#cc79a7' title '', \
         '' index block using (shift($1,$3)):2:6 with points pointtype 7 pointsize dot linecolor rgb variable title '', \
         '' index block using (shift($1,$3)):($5 > 0 ? NaN : $2) with points pointtype 7 pointsize 0.3*dot linecolor rgb '#ffffff' title '', \
         '' index block+3 using ($5 > 0 ? shift($1,$3) : NaN):2:(times($4)) with labels left offset 1.0,0 font font_tiny textcolor rgb ink title '', \
         '' index block+3 using ($5 < 0 ? shift($1,$3) : NaN):2:(times($4)) with labels right offset -1.0,0 font font_tiny textcolor rgb ink title '', \
         '' index block using (shift($1,$3)):2:(strcol(7)) @hover
}
unset label
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset logscale
set lmargin at screen from_left(16)
set rmargin at screen from_right(16)
set tmargin at screen from_bottom(narrow ? 6*key_row+24 : 3*key_row+12)
set bmargin at screen from_bottom(0)
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 3) samplen 2.4 font font_normal
plot NaN with points pointtype 7 pointsize dot linecolor rgb '#0072b2' title 'planes, how many times as fast', \
     NaN with points pointtype 7 pointsize dot linecolor rgb '#d55e00' title 'integers faster', \
     NaN with lines linewidth 1.8 dashtype 2 linecolor rgb '#cc79a7' title 'measured boundary', \
     NaN with filledcurves fillcolor rgb shade fillstyle solid title 'planes predicted to win', \
     NaN with lines linewidth 1.8 linecolor rgb ink title 'predicted boundary: int8 (left), int2 (right)', \
     NaN with lines linewidth 1.2 dashtype 4 linecolor rgb ink title 'against int4'
unset multiplot
