# SPDX-License-Identifier: BSD-3-Clause
# Errors of methods over stacks of layers, one panel a share, and the paper's perplexities. mixed_t4.dat: for each share a block of each method
# (place, error, bits, spread), then two of the paper (place, perplexity, 0, 0).
panels = shares+1
key_rows = narrow ? methods : 1
left_of = narrow ? room(84) : 96
gap_x = 66
gap_y = 78
panel_wide = narrow ? width-left_of-10 : (width-left_of-16-shares*gap_x)*1.0/panels
panel_high = (height-headroom-28-key_row*key_rows-78-(narrow ? shares*gap_y : 0))*1.0/(narrow ? panels : 1)
left_edge(p) = left_of+(narrow ? 0 : (p-1)*(panel_wide+gap_x))
top_edge(p) = headroom+28+(narrow ? (p-1)*(panel_high+gap_y) : 0)
set multiplot
set grid noxtics ytics
set xtics scale 0 font font_normal
unset key
do for [p=1:panels] {
    if (p > 1) { unset label }
    set lmargin at screen from_left(left_edge(p))
    set rmargin at screen from_left(left_edge(p)+panel_wide)
    set tmargin at screen from_top(top_edge(p))
    set bmargin at screen from_top(top_edge(p)+panel_high)
    unset object
    groups = p < panels ? spreads : shares
    do for [g=1:groups] { if (g % 2) { set object g rectangle from first g-1,graph 0 to first g,graph 1 behind fillcolor rgb grid fillstyle solid 0.28 noborder } }
    set xrange [0:groups]
    set xtics ()
    if (p < panels) {
        do for [g=1:spreads] { set xtics add (spread_title[g] g-0.5) }
        set xlabel 'how unequal the layers are'
        if (narrow || p == 1) { set ylabel 'error of the output' offset 0.5,0 } else { unset ylabel }
        set yrange [0:axis_end(1.1*error_max)]
        set boxwidth 0.8/methods
        set label 1 share_title[p] at graph 0,1+14.0/panel_high left font font_panel textcolor rgb ink
        plot for [m=1:methods] 'mixed_t4.dat' index (p-1)*methods+m-1 using 1:2 with boxes fillcolor rgb method_colour[m] fillstyle solid 0.9 noborder title '', \
             for [m=1:methods] '' index (p-1)*methods+m-1 using 1:2:(sprintf('%s, unequal by %g: error %.4g at %.3g bits',method_title[m],$4,$2,$3)) @hover
    } else {
        set xtics add ('10%%' 0.5, '25%%' 1.5)
        set xlabel 'in 4 bits'
        set ylabel 'perplexity' offset 0.5,0
        set yrange [0:axis_end(1.1*stated_max)]
        set boxwidth 0.4
        set label 1 'the paper, Llama2-7b' at graph 0,1+14.0/panel_high left font font_panel textcolor rgb ink
        plot 'mixed_t4.dat' index shares*methods using 1:2 with boxes fillcolor rgb method_colour[1] fillstyle solid 0.9 noborder title '', \
             '' index shares*methods+1 using 1:2 with boxes fillcolor rgb method_colour[methods] fillstyle solid 0.9 noborder title '', \
             '' index shares*methods using 1:2:(sprintf('%.2f',$2)) with labels center offset 0,0.6 font font_tiny textcolor rgb ink title '', \
             '' index shares*methods+1 using 1:2:(sprintf('%.2f',$2)) with labels center offset 0,0.6 font font_tiny textcolor rgb ink title '', \
             '' index shares*methods using 1:2:(sprintf('the paper, whole layers: perplexity %.3g',$2)) @hover, \
             '' index shares*methods+1 using 1:2:(sprintf('the paper, groups: perplexity %.3g',$2)) @hover
    }
}
unset border
unset tics
unset grid
unset object
unset label
unset xlabel
unset ylabel
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen from_bottom(key_row*key_rows+14)
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 3) samplen 2 font font_normal
plot for [m=1:methods] NaN with boxes fillcolor rgb method_colour[m] fillstyle solid 0.9 noborder title method_title[m]
unset multiplot
