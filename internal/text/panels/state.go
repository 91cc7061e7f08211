package panels

import (
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

// State is all that is drawn.
type State struct {
	// Title says what is looked at, Phase what is going on ("load", "has ended"); empty for
	// nothing special.
	Title, Phase string
	// Done and Total are how far a measurement is; Total 0 draws no bar.
	Done, Total time.Duration
	// Groups are what is looked at side by side, such as the variants of a comparison. One
	// alone needs no name.
	Groups []Group
	Marks  []vitals.Mark
	// Warnings hold for now, such as what cannot be read and why; Notes say what has
	// happened, the newest last.
	Warnings, Notes []string
	Keys            []Key
	// Paused says that the picture stands still, Help that the keys and rows are to be
	// explained instead of it.
	Paused, Help bool
}

// Group is the readings of one program. A nil history has none.
type Group struct {
	Name    string
	History *vitals.History
}

// Key is a key that does something: Does is one word for it, Help a sentence.
type Key struct{ Name, Does, Help string }

// Size is that of the terminal, in cells.
type Size struct{ Width, Height int }

// MostColumns is how many of the newest readings a picture can show at most, on any
// terminal that there is: a history need not be longer to be drawn.
const MostColumns = 512
