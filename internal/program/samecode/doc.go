// Package samecode finds what differs between the compiled code of two builds, and whether a benchmark can run any of it.
//
// It links both builds on paper: names lead to definitions, as in cmd/link. Then it walks what the benchmark reaches on
// both sides at once, by the rules of the linker for what has to be in a binary (cmd/link/internal/ld/deadcode.go):
// code, data, methods that are called through interfaces or by reflection, what runs before main, and the runtime. The
// code is the same if each symbol meets one of the other side with the same content, whose references lead to such
// symbols again. Addresses, and the names of functions, lines and files that only traces show, do not count.
//
// Differences compares each function by itself instead, and says which differ.
//
// What it does not understand differs: measured without need is only time.
package samecode
