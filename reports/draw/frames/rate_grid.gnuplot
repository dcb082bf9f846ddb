# SPDX-License-Identifier: BSD-3-Clause
# Tokens a second as groups of bars, and ratios of them: reports/draw/frames/rate_grid.h. Reads data, columns, bar_rows (of them `teams` the
# host's, then the paper), groups, sides, prompt, and the arrays of titles and colours.
panel_rows = bar_rows+1
stacked = narrow ? panel_rows*columns : panel_rows
legend = narrow ? 112 : 76
left_of = narrow ? room(64) : 81
gap_x = narrow ? 0 : 30
panel_width = (width-left_of-16-(narrow ? 0 : (columns-1)*gap_x))/(narrow ? 1 : columns)
gap_y = narrow ? 44 : 50
panel_height = (height-headroom-28-legend-34-(stacked-1)*gap_y)*1.0/stacked
# Panel of a row and a column: in a column of a paper one below the other.
across(r,c) = narrow ? 0 : c-1
down(r,c) = narrow ? (c-1)*panel_rows+r-1 : r-1
left_edge(r,c) = left_of+across(r,c)*(panel_width+gap_x)
top_edge(r,c) = headroom+28+down(r,c)*(panel_height+gap_y)
block(r,c) = ((r-1)*columns+c-1)*sides
ratio_block(c) = bar_rows*columns*sides+(c-1)*5
ratio_colour(i) = i < 2 ? ink : '#7f7f7f'
group_name(r,g) = group_title[g] eq 'prompt' && prompt > 0 && r <= teams && !narrow ? sprintf('prompt, %d',prompt) : group_title[g]
set multiplot
set xrange [0:groups]
set boxwidth 0.8/sides
set errorbars 0
set grid noxtics ytics
set xtics scale 0 font font_small
unset key
do for [g=1:groups] { if (g % 2) { set object g rectangle from first g-1,graph 0 to first g,graph 1 behind fillcolor rgb grid fillstyle solid 0.28 noborder } }
do for [c=1:columns] {
    do for [r=1:panel_rows] {
        if (r > 1 || c > 1) { unset label }
        set lmargin at screen from_left(left_edge(r,c))
        set rmargin at screen from_left(left_edge(r,c)+panel_width)
        set tmargin at screen from_top(top_edge(r,c))
        set bmargin at screen from_top(top_edge(r,c)+panel_height)
        set xtics ()
        do for [g=1:groups] { set xtics add (group_name(r,g) g-0.5) }
        if (c == 1 || narrow) { set ylabel (r <= bar_rows ? 'tokens/s (log scale)' : 'times as fast') offset (r <= bar_rows || narrow ? 0.5 : -1),0 font font_normal; set format y '%g' } else { unset ylabel; set format y '' }
        if (r <= bar_rows) {
            set label 11 column_title[c].': '.row_title[r] at graph 0,1.07 left font font_panel textcolor rgb ink
            set logscale y 10
            set yrange [rate_min:rate_max]
            set ytics ()
            do for [d=-2:5] { set ytics add ((across(r,c) ? '' : sprintf('%g',10**d)) 10**d); set ytics add ('' 2*10**d 1); set ytics add ('' 5*10**d 1) }
            fill = r <= teams ? 0.5 : 1.0
            plot for [s=1:sides] data index block(r,c)+s-1 using 1:($2 > 0 ? $2 : NaN) with boxes fillcolor rgb side_colour[s] fillstyle solid fill border linecolor rgb side_colour[s] title '', \
                 for [s=1:sides] data index block(r,c)+s-1 using (strcol(5) eq few_text ? $1 : NaN):(rate_min*1.4) with points pointtype 2 pointsize 0.7 linewidth 1.4 linecolor rgb side_colour[s] title '', \
                 for [s=1:sides] data index block(r,c)+s-1 using (strcol(5) eq few_text ? $1 : NaN):(rate_min*1.4):(sprintf('%s, %s, %s: %s',side_title[s],strcol(4),row_title[r],few_text)) @hover, \
                 for [s=1:sides] data index block(r,c)+s-1 using 1:3:(0.38/sides) with xerrorbars pointtype 0 linewidth 2.4 linecolor rgb ink title '', \
                 for [s=1:sides] data index block(r,c)+s-1 using 1:2:(sprintf('%s, %s, %s (%s): %.4g tokens/s',side_title[s],strcol(4),row_title[r],strcol(5),$2)) @hover, \
                 for [s=1:sides] data index block(r,c)+s-1 using 1:3:(sprintf('%s, %s, %s, the whole model: %.4g tokens/s',side_title[s],strcol(4),row_title[r],$3)) @hover
        } else {
            set label 11 column_title[c].': ratios of '.over_title at graph 0,1.07 left font font_panel textcolor rgb ink
            unset logscale y
            set yrange [0:axis_end(ratio_max)]
            set ytics autofreq
            plot 1 with lines linewidth 1 linecolor rgb ink title '', \
                 for [i=0:3] data index ratio_block(c)+i using ($1+(i-1.5)*0.13):3:(0):($4-$3) with vectors nohead linewidth 1.4 linecolor rgb ratio_colour(i) title '', \
                 for [i=0:3] data index ratio_block(c)+i using ($1+(i-1.5)*0.13):2 with points pointtype (i % 2 ? 6 : 7) pointsize 0.75 linewidth 1.4 linecolor rgb ratio_colour(i) title '', \
                 data index ratio_block(c)+4 using 1:2 with points pointtype 9 pointsize 1.0 linecolor rgb '#b8860b' title '', \
                 for [i=0:3] data index ratio_block(c)+i using ($1+(i-1.5)*0.13):2:(sprintf('%s, %s: %.3g, here with %s',ratio_title[i/2+1],strcol(5),$2,i % 2 ? 'one thread' : threads(widest))) @hover, \
                 data index ratio_block(c)+4 using 1:2:(sprintf('%s: %.3g as the paper states',strcol(5),$2)) @hover
        }
    }
}
# The legend on its own, over the whole canvas.
unset border
unset tics
unset label
unset object
unset ylabel
unset logscale y
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
if (narrow) { set key at screen from_left(8),from_bottom(6) left bottom vertical maxcols 2 maxrows 5 width -2 samplen 2 font font_small } else {
    set key at screen 0.5,from_bottom(8) center bottom vertical maxcols 4 maxrows 3 width -3 samplen 2 font font_normal }
plot for [s=1:sides] NaN with boxes fillcolor rgb side_colour[s] fillstyle solid 0.5 border linecolor rgb side_colour[s] title side_title[s], \
     NaN with lines linewidth 2.4 linecolor rgb ink title passes ? 'the whole model run' : '', \
     NaN with points pointtype 2 pointsize 0.7 linewidth 1.4 linecolor rgb ink title few ? few_text : '', \
     for [i=1:2] NaN with points pointtype 7 pointsize 0.75 linewidth 1.4 linecolor rgb ratio_colour(2*i-2) title ratio_title[i], \
     NaN with points pointtype 6 pointsize 0.75 linewidth 1.4 linecolor rgb ink title teams > 1 ? 'ratios with one thread' : '', \
     NaN with points pointtype 9 pointsize 1.0 linecolor rgb '#b8860b' title bar_rows > teams ? 'ratio in the paper' : ''
unset multiplot
