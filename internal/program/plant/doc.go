// Package plant makes a function slower by a known part of the CPU time of its program, in an overlay: the source is not
// touched. A gate that stays green then cannot fail.
package plant
