// Package tune tries on a program what needs no change of its source: settings of the runtime and
// of the build, and features switched off.
//
// A Trial is the program as it is. A round is one comparison of package service: the program as it is
// and all settings of the round are up beside each other, and their slices interleave. The
// intervals of a round hold for all of its settings at once; where there are two rounds they share
// the level, so that all intervals of a report hold at once (Bonferroni).
package tune
