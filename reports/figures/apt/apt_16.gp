# SPDX-License-Identifier: BSD-3-Clause
# Map of chosen configurations. apt_16.dat: one block (column, row from below, colour, times as fast as the default, bytes of prefetch, choice,
# what).
set lmargin at screen from_left(narrow ? room(60) : 84)
set rmargin at screen from_right(narrow ? 8 : 16)
set tmargin at screen from_top(headroom+24)
set bmargin at screen from_bottom((narrow ? 74 : 40)+(choices > 5 || narrow ? 3 : 1)*key_row)
set xrange [0.5:columns+0.5]
set yrange [0.5:rows+0.5]
set border 0
unset grid
set xtics scale 0 font font_tiny
set ytics scale 0 font font_normal
if (narrow) { set xtics rotate by 45 right }
set xtics ()
set ytics ()
do for [c=1:columns] { set xtics add (column_title[c] c) }
do for [r=1:rows] { set ytics add (row_title[r] r) }
do for [c=1:columns] { if (c == 1 || column_tokens[c] != column_tokens[c > 1 ? c-1 : 1]) { set label sprintf('%g token%s',column_tokens[c],column_tokens[c] == 1 ? '' : 's') at c-0.45,graph 1.03 left font font_small textcolor rgb ink } }
set key at screen 0.5,from_bottom(14) center bottom horizontal maxcols (narrow ? 3 : 5) samplen 1.8 font font_normal
set style fill transparent solid 0.5 noborder
plot 'apt_16.dat' using 1:2:($1-0.47):($1+0.47):($2-0.45):($2+0.45):3 with boxxyerror linecolor rgb variable title '', \
     '' using 1:($2+0.12):(narrow ? '' : strcol(6)) with labels font font_tiny textcolor rgb ink title '', \
     '' using 1:($2-(narrow ? 0 : 0.2)):(narrow ? ($4 > 0 ? sprintf('%.2f',$4) : '') : sprintf('%g B',$5).($4 > 0 ? sprintf(', %.2f',$4) : '')) with labels font font_tiny textcolor rgb ink title '', \
     for [c=1:choices] NaN with boxes linecolor rgb choice_colour[c] title choice_title[c], \
     'apt_16.dat' using 1:2:(strcol(7)) @hover
