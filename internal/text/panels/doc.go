// Package panels draws the vitals of running programs as text for a terminal: rows with
// the latest values and a plot of the last minutes each. Drawing is a pure function of
// state, size and theme; nothing is read, kept or queried.
//
// A small terminal shows less, in a fixed order: first blank lines go, then plots become lower,
// then lists of names shrink to one line, then the least important rows go one by one. The
// rate, the latency, the CPU and the heap stay longest.
package panels
