package robust

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// kind is one way of making hone fail.
type kind struct {
	// Name is what -kinds takes and the file of results has.
	Name string
	// Does says what one trial does, Fails what counts as a failure of hone. Both are
	// text of the document.
	Does, Fails string
	// Default is how many trials there are to be unless -n says otherwise.
	Default int
	// Run carries out one trial. The outcome holds what hone did wrong; an error says
	// that the trial itself could not be carried out.
	Run func(ctx context.Context, r *rig, t trial) (outcome, error)
}

// kinds are all of them. A new one is a file and a place here.
var kinds = []*kind{crashes, pages, hostile, orphans, fuzzing}

// trial is one of a kind, by its number from 0 on.
type trial struct {
	Number int
	// Random draws the trial's choices: the same number draws the same.
	Random *rand.Rand
}

// newTrial is the trial of a kind with a number.
func newTrial(k *kind, number int) trial {
	var name [32]byte
	copy(name[:], k.Name)
	source := rand.NewChaCha8(name)
	seed := source.Uint64() // apart from those of other kinds
	return trial{number, rand.New(rand.NewPCG(seed, uint64(number)))}
}

// outcome is what became of a trial.
type outcome struct {
	// What groups trials in the document: a command, a server, a fuzz target.
	What string `json:"what"`
	// Point is the rest of it in words: when, where, with which numbers.
	Point string `json:"point,omitempty"`
	// Hit says that the fault met what it was meant for: a run under way, a page in use.
	Hit bool `json:"hit,omitempty"`
	// Failures is what hone did wrong, a sentence each. None: hone stood it.
	Failures []string `json:"failures,omitempty"`
	// Executions is of fuzz targets.
	Executions uint64 `json:"executions,omitempty"`
	// Notes are no failures, but worth a line.
	Notes []string `json:"notes,omitempty"`
}

// failf adds a failure.
func (o *outcome) failf(format string, args ...any) {
	o.Failures = append(o.Failures, fmt.Sprintf(format, args...))
}

// failIf adds a failure if there is an error; when is said before it.
func (o *outcome) failIf(when string, err error) {
	if err != nil {
		o.failf("%s%v", when, err)
	}
}
