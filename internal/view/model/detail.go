package model

// Detail is how much is shown.
type Detail int

const (
	// Brief is for the end of a measurement: what was off is said, what was not is left out.
	Brief Detail = iota
	// Full is for hone show and for pages.
	Full
)
