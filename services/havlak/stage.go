package havlak

import "github.com/gohone/hone/services/internal/ladder"

// Finder finds the loops of one graph, in the manner of one stage.
type Finder interface {
	// Find finds all loops, from the start again each time.
	Find()
	// Forest is what the last Find found. It is made anew by each call.
	Forest() Forest
}

// Stage is one layout of the data.
type Stage struct {
	// Name is what the program's -stage takes.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// New returns a finder for g, which must be valid. It keeps nothing of g.
	New func(g Graph) Finder
}

// DefaultStage is the stage of a program that is told none.
const DefaultStage = "final"

// Stages is the ladder, lowest rung first.
var Stages = []Stage{
	{
		Name:   "first",
		Change: "maps and lists, all data made anew for each call",
		New:    func(g Graph) Finder { return newFirst(g) },
	},
	{
		Name:   "slices",
		Change: "slices instead of maps and lists, data reused between calls",
		New:    func(g Graph) Finder { return newSlices(g) },
	},
	{
		Name:   "final",
		Change: "int32 arrays in order of the search, one arena, no recursion",
		New:    func(g Graph) Finder { return newFinal(g) },
	},
}

// String is the stage's name.
func (s Stage) String() string { return s.Name }

// LookupStage finds a stage by name; the error names the known ones.
func LookupStage(name string) (Stage, error) { return ladder.Lookup(Stages, name) }
