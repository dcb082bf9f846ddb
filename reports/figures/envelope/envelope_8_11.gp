# SPDX-License-Identifier: BSD-3-Clause
# Two panels a GPU. envelope_8_11.dat: of each GPU a block of GEMVs (place, GB/s at 8 and 2 bits, at 2 with the bandwidth that was read,
# observed, shape, model), then one of GEMMs (place, Tops/s at 8 bits, 2 bits fused, 2 bits with scales apart, shape, model).
set multiplot
set style fill solid 0.95 noborder
set grid noxtics ytics
set xrange [0.4:shapes+0.6]
panel_height = (height-headroom-(narrow ? 190.0 : 136.0))/(narrow ? 2*gpus : gpus)
top_of(row) = from_top(headroom+row*panel_height+30)
bottom_of(row) = from_top(headroom+(row+1)*panel_height-8)
last_row = narrow ? 2*gpus-1 : gpus-1
set xtics scale 0 rotate by (narrow ? 55 : 35) right font font_small offset 0.6,-0.1
bar_text = '%s, %s, %s: %.4g %s'
do for [g=1:gpus] {
    do for [side=0:1] {
        row = narrow ? 2*(g-1)+side : g-1
        set lmargin at screen (narrow ? from_left(room(66)) : side ? 0.57 : from_left(81))
        set rmargin at screen (narrow ? from_right(8) : side ? from_right(16) : 0.5)
        set tmargin at screen top_of(row)
        set bmargin at screen bottom_of(row)
        set xtics ()
        do for [s=1:shapes] { set xtics add ((row == last_row ? shape_title[s] : '') s) }
        if (g > 1 || side == 1) { unset label }
        unset key
        set label sprintf('%s: %s',gpu_title[g],side ? 'GEMM, 1,024 tokens' : 'GEMV') at graph 0,1.08 font font_panel textcolor rgb ink
        if (side == 0) {
            set yrange [0:axis_end(bytes_axis[g])]
            set ylabel 'GB/s' offset 0.5,0
            set boxwidth 0.36
            plot 'envelope_8_11.dat' index 2*(g-1) using ($1-0.19):2 with boxes linecolor rgb colour_8 title '', \
                 '' index 2*(g-1) using ($1+0.19):3 with boxes linecolor rgb colour_2 title '', \
                 gpu_bandwidth[g] with lines linewidth 1.4 dashtype 3 linecolor rgb ink title '', \
                 '' index 2*(g-1) using ($1+0.19):4 with points pointtype 2 pointsize 0.7 linewidth 1.4 linecolor rgb ink title '', \
                 '' index 2*(g-1) using ($1+0.19):5 with points pointtype 13 pointsize 1.1 linecolor rgb ink title '', \
                 gpu_read[g] with lines linewidth 1.4 dashtype 2 linecolor rgb ink title '', \
                 '' index 2*(g-1) using ($1-0.19):2:(sprintf(bar_text,strcol(7),strcol(6),'8-bit',$2,'GB/s')) @hover, \
                 '' index 2*(g-1) using ($1+0.19):3:(sprintf(bar_text,strcol(7),strcol(6),'2-bit',$3,'GB/s')) @hover, \
                 '' index 2*(g-1) using ($1+0.19):4:(sprintf(bar_text,strcol(7),strcol(6),'2-bit at what was read',$4,'GB/s')) @hover, \
                 '' index 2*(g-1) using ($1+0.19):5:(sprintf(bar_text,strcol(7),strcol(6),'2-bit, in the paper',$5,'GB/s')) @hover
        } else {
            set yrange [0:axis_end(operations_axis[g])]
            set ylabel 'Tops/s' offset 0.5,0
            set boxwidth 0.26
            plot 'envelope_8_11.dat' index 2*g-1 using ($1-0.27):2 with boxes linecolor rgb colour_8 title '', \
                 '' index 2*g-1 using 1:3 with boxes linecolor rgb colour_2 title '', \
                 '' index 2*g-1 using ($1+0.27):4 with boxes fillstyle solid 0.45 noborder linecolor rgb colour_2 title '', \
                 gpu_peak[g] with lines linewidth 1.4 dashtype 3 linecolor rgb ink title '', \
                 gpu_gemm[g] with lines linewidth 1.4 dashtype 2 linecolor rgb ink title '', \
                 '' index 2*g-1 using ($1-0.27):2:(sprintf(bar_text,strcol(6),strcol(5),'8-bit',$2,'Tops/s')) @hover, \
                 '' index 2*g-1 using 1:3:(sprintf(bar_text,strcol(6),strcol(5),'2-bit, fused',$3,'Tops/s')) @hover, \
                 '' index 2*g-1 using ($1+0.27):4:(sprintf(bar_text,strcol(6),strcol(5),'2-bit, scales apart',$4,'Tops/s')) @hover
        }
    }
}
# The legend alone, as wide as the page.
unset label
unset xtics
unset ytics
unset ylabel
unset border
set lmargin at screen 0.01
set rmargin at screen 0.99
set tmargin at screen from_bottom(12)
set bmargin at screen from_bottom(6)
set key at screen 0.5,from_bottom(8) center bottom horizontal maxcols (narrow ? 2 : 4) samplen 2 font font_normal
plot NaN with boxes linecolor rgb colour_8 title '8-bit', \
     NaN with boxes linecolor rgb colour_2 title '2-bit', \
     NaN with boxes fillstyle solid 0.45 noborder linecolor rgb colour_2 title '2-bit, scales apart', \
     NaN with lines linewidth 1.4 dashtype 3 linecolor rgb ink title 'roof', \
     NaN with lines linewidth 1.4 dashtype 2 linecolor rgb ink title 'most in the paper', \
     NaN with points pointtype 13 pointsize 1.1 linecolor rgb ink title 'this shape in the paper', \
     NaN with points pointtype 2 pointsize 0.7 linewidth 1.4 linecolor rgb ink title 'at the bandwidth read'
unset multiplot
