package record

import "github.com/gohone/hone/internal/program/touches"

// Checked is what a patch passed before it was measured: its tests, and a look at what it touches.
type Checked struct {
	// Variant is the letter of the side that has the patch, and Base the commit that it changes.
	Variant string `json:"variant"`
	Base    string `json:"base"`
	// Files is how many files differ.
	Files int `json:"files"`
	// Allowed are what it touches besides code, which the user allowed.
	Allowed []touches.Touch `json:"allowed,omitempty"`
	// Packages are those that were tested, by their directories from the root of the repository; Tests is how many
	// tests passed with the patch.
	Packages []string `json:"packages,omitempty"`
	Tests    int      `json:"tests"`
	// Notes say what the tests do not show.
	Notes []string `json:"notes,omitempty"`
}
