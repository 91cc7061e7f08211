// Package power says what comparisons can show on a machine: how far pairs and starts scatter (Spread), and which change
// a comparison shows within a budget (Of). Play carries out a comparison whose blocks are there already, so that
// blocks that were measured can be drawn again by thousands.
package power
