// Package power says what the scatter of blocks shows, and what comparisons can show on a machine: how far pairs and starts
// scatter (Spread), what the width of an interval is made of (WidthOf), whether starts fall into two groups (ModesOf),
// and which change a comparison shows within a budget (Of). Play carries out a comparison whose blocks are there
// already, so that blocks that were measured can be drawn again by thousands.
package power
