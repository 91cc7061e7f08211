package robust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// rig is what all kinds of trials work with. Trials run one after the other.
type rig struct {
	hone string // its binary, absolute
	root string // of the repository
	dir  string // for ledgers, programs and temporary files; removed at the end

	fuzzSlice   time.Duration
	fuzzWorkers int
	crashers    string // where failing inputs are kept, beside the results

	project   *project          // made by the first trial that needs it
	templates []template        // the same
	targets   []target          // fuzz targets, the same
	fuzzers   map[string]string // test binaries by their package's directory
	crash     crashBench
	named     int // tags given so far
}

func newRig(ctx context.Context, c config) (*rig, error) {
	var err error
	r := &rig{hone: c.Hone.Program, fuzzSlice: c.fuzzSlice, fuzzWorkers: c.fuzzWorkers, fuzzers: map[string]string{}}
	r.crash.life = map[string]time.Duration{}
	var faults [3]error
	r.root, faults[0] = filepath.Abs("..")
	r.crashers, faults[1] = filepath.Abs(strings.TrimSuffix(c.Records, ".jsonl") + "-crashers")
	if _, err := os.Stat(filepath.Join(r.root, "bench", "robust")); err != nil {
		faults[2] = errors.New("run robust in the directory bench")
	}
	if err := errors.Join(faults[:]...); err != nil {
		return nil, err
	}
	if r.dir, err = os.MkdirTemp("", "robust-"); err != nil {
		return nil, fmt.Errorf("make a place for trials: %w", err)
	}
	if err := os.Mkdir(r.temporary(), 0o700); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// temporary is the directory for temporary files of what is killed: nothing else sees
// what it leaves behind.
func (r *rig) temporary() string { return filepath.Join(r.dir, "tmp") }

func (r *rig) close() error { return os.RemoveAll(r.dir) }
