// Package chains reads the points of a series as chains: for each benchmark and measure of a branch the value of each
// commit against the beginning of the chain, and the steps in it, with who made them.
//
// A chain is of one kind. In one of hone's points each link is a comparison, and no absolute value enters it. One of
// imported points has absolute values of single runs, which nothing pairs: it is a chain of its own, for each format and
// machine, and says so (Chain.Imported).
//
// The arithmetic is that of internal/judge/chain. Nothing here reads or writes files.
package chains
