# SPDX-License-Identifier: BSD-3-Clause
# Latency of levels, and of memory under load. latency.dat: block 0 a level a line: place, ns, interval, cycles, level, text; then a block a team: GB/s, ns, interval, pause.
shown = curves > 0 ? 2 : 1
if (narrow) { set multiplot layout shown,1 margins from_left(room(56)),from_right(12),from_bottom(58),from_top(30) spacing 0.15 } else { set multiplot layout 1,shown margins from_left(80),from_right(20),from_bottom(66),from_top(headroom+26) spacing 0.09 }
set style fill solid 0.85 noborder
colour(i) = word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9',1+(i-1)%6)
set errorbars 0.6
set logscale y
set yrange [0.5:4*ns_max]
set xrange [0.4:bars+0.6]
set grid noxtics ytics
unset key
set ylabel 'ns (log scale)' offset (narrow ? 1.6 : 0),0
set title 'idle' font font_panel textcolor rgb ink offset 0,-0.4
plot 'latency.dat' index 0 using 1:2:(0.6):xtic(6) with boxes linecolor rgb '#0072b2' title '', \
     '' index 0 using 1:3:(0):($4-$3) with vectors nohead linewidth 2 linecolor rgb ink title '', \
     '' index 0 using 1:($4 > $2 ? $4 : $2):7 with labels center offset 0,0.9 font font_small textcolor rgb ink title '', \
     '' index 0 using 1:2:(sprintf('%s: %s [%.4g, %.4g] ns',strcol(6),strcol(7),$3,$4)) @hover
if (shown > 1) {
    unset label
    unset logscale y
    set ylabel 'ns'
    set yrange [0:*]
    set xrange [0:*]
    set offsets 0,graph 0.06,graph 0.1,0
    set grid xtics ytics
    set xtics autofreq
    set xlabel 'GB/s that the readers attain'
    set title 'memory, while others read' font font_panel textcolor rgb ink offset 0,-0.4
    set key inside left top horizontal samplen 2 font font_small
    plot for [i=1:curves] 'latency.dat' index i using 1:2:3:4 with yerrorbars pointtype 7 linewidth 1.4 linecolor rgb colour(i) title '', \
         for [i=1:curves] '' index i using 1:2 with linespoints pointtype 7 linewidth 1.6 linecolor rgb colour(i) title sprintf('%g reader%s',readers[i],readers[i] == 1 ? '' : 's'), \
         for [i=1:curves] '' index i using 1:2:($5 < 0 ? sprintf('no reader: %.1f ns',$2) : sprintf('%.2f GB/s, pause %g: %.1f [%.1f, %.1f] ns',$1,$5,$2,$3,$4)) @hover
}
unset multiplot
