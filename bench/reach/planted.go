package reach

import (
	"context"
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// plantedIn is a slow-down in one function of a service.
type plantedIn struct {
	// Function is FILE:NAME or FILE:TYPE.NAME, Executed whether a load executes it, by the counters.
	Function string `json:"function"`
	Executed bool   `json:"executed"`
	// Says is what hone says of it: executed, start, nothing, in doubt, or not listed; Words its verdict.
	Says  string `json:"says"`
	Words string `json:"words"`
}

func (p plantedIn) right() bool { return p.Executed == (p.Says == "executed") || p.Says == "in doubt" }

// String is how progress shows it.
func (p plantedIn) String() string {
	return fmt.Sprintf("planted in %s, executed %v; hone says %s: %s", p.Function, p.Executed, p.Says, p.Words)
}

func (c config) ofPlanted(context.Context, *bed.Journal[record]) error { return nil }
