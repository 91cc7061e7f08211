// Package panels draws the vitals of running programs as text for a terminal: rows with
// the latest values and a plot of the last minutes each. Drawing is a pure function of
// state, size and theme; nothing is read, kept or queried.
//
// What does not fit goes in a fixed order: blank lines, then the height of plots, then
// lists of names shrink to one line, then the rows that say least go one by one. The rate,
// the latency, the CPU and the heap stay longest.
package panels
