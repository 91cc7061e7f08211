package holders

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/proc"
)

// figures are what a program prints of itself, in bytes: its package heap says what each means.
type figures struct {
	Base       int64 `json:"base"`
	Before     int64 `json:"before"`
	After      int64 `json:"after"`
	Stacks     int64 `json:"stacks"`
	Allocated  int64 `json:"allocated"`
	Outside    int64 `json:"outside"`
	Dump       int64 `json:"dump"`
	PauseNanos int64 `json:"pause_ns"`
}

// built is what the program holds after it built up its heap, freed what clearing freed of it.
func (f figures) built() int64 { return f.Before - f.Base }
func (f figures) freed() int64 { return f.Before - f.After }

const (
	leastFreed = 0.9 // share of what a program built up that clearing has to free
	mostLive   = 0.1 // share of what a decoy allocated that may live on
)

// check says what makes a program unfit to judge by: its truth does not hold.
func (f figures) check(decoy bool) error {
	freed, live := ratio(f.freed(), f.built()), ratio(f.built(), f.Allocated)
	switch {
	case decoy && live > mostLive:
		return fmt.Errorf("a decoy with %.0f %% of %d allocated bytes alive, want at most %.0f %%", 100*live, f.Allocated, 100*mostLive)
	case !decoy && freed < leastFreed:
		return fmt.Errorf("clearing frees %.0f %% of %d bytes, want at least %.0f %%", 100*freed, f.built(), 100*leastFreed)
	}
	return nil
}

func ratio(a, b int64) float64 { return float64(a) / float64(b) }

// buildable are the programs of the module in dir that can be built here: the go command leaves those out that need cgo where it has
// no C compiler.
func buildable(ctx context.Context, dir string) (names []string, err error) {
	d, err := proc.Run(ctx, -1, proc.Command{Program: "go", Args: []string{"list", "-f", `{{if eq .Name "main"}}{{.Dir}}{{end}}`, "./..."}, Dir: dir})
	for _, path := range strings.Fields(string(d.Stdout)) {
		names = append(names, filepath.Base(path))
	}
	return names, err
}

// dump runs a program, which writes its dump to a file. bytes is the size of its heap; 0 leaves that to the program, 32 MiB.
func dump(ctx context.Context, binary, file string, bytes int64) (f figures, err error) {
	args := []string{"-dump", file}
	if bytes > 0 {
		args = append(args, "-bytes", strconv.FormatInt(bytes, 10))
	}
	d, err := proc.Run(ctx, -1, proc.Command{Program: binary, Args: args})
	if err == nil {
		err = json.Unmarshal(d.Stdout, &f)
	}
	return f, err
}
