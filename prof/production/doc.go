// Package production holds a load against profiles of production: how much of its CPU time the load exercises (Cover),
// what a function takes there (NewShares), and what a change comes to there (Weigh).
package production
