package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/storedir"
)

// Repaired says what Repair did.
type Repaired struct {
	// Faults is the damage that there was.
	Faults []Fault `json:"faults,omitempty"`
	// Kept are the files that were moved aside, where they are now.
	Kept []string `json:"kept,omitempty"`
	// Lost are the runs and comparisons that are not there any more, Changed are those
	// that are without some of their slices and artefacts.
	Lost    []string `json:"lost,omitempty"`
	Changed []string `json:"changed,omitempty"`
}

// Repair makes the ledger in dir sound again: it moves all files that are damaged to a new directory
// in LEDGER/damaged. A run whose slices or artefacts were among them stays without those, as partial; one whose
// record was damaged is lost. Where all is sound it changes nothing.
func Repair(ctx context.Context, dir string, wait time.Duration) (done Repaired, err error) {
	home, err := openHome(dir)
	if err != nil {
		return done, err
	}
	if home, err = checked(home, checkWritten(home)); err != nil {
		return done, storage(dir, err, "open ledger %s", dir)
	}
	l, err := openIn(home, Options{Wait: wait})
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	r := &repairer{l: l, aside: path.Join("damaged", l.opts.Now().UTC().Format("20060102T150405.000Z"))}
	report, err := l.Verify(ctx)
	if err == nil && len(report.Faults) > 0 {
		err = r.repair(report.Faults)
	}
	return r.Repaired, storage(dir, err, "repair ledger %s", dir)
}

// repairer is the work of one Repair.
type repairer struct {
	Repaired
	l     *Ledger
	aside string // the directory for what is damaged
}

func (r *repairer) repair(faults []Fault) error {
	r.Faults = faults
	if err := r.l.home.RemoveAll(indexName); err != nil { // it knows records that are to change
		return err
	}
	for _, f := range faults {
		if f.Kind != faultMissing && f.inside != baselinesName {
			if err := r.move(f.inside); err != nil {
				return err
			}
		}
	}
	for _, f := range faults {
		if err := r.heal(f); err != nil {
			return err
		}
	}
	return errors.Join(r.comparisons(), r.baselines())
}

// move moves a file aside, if it is there.
func (r *repairer) move(name string) error {
	home := r.l.home
	if _, err := home.Stat(name); err != nil {
		return ignoreMissing(err)
	}
	to := path.Join(r.aside, name)
	if err := makeDirs(home, path.Dir(to)); err != nil {
		return err
	}
	if err := errors.Join(home.Rename(name, to), home.Sync(path.Dir(name)), home.Sync(path.Dir(to))); err != nil {
		return err
	}
	r.Kept = append(r.Kept, home.Join(to))
	return nil
}

func makeDirs(home *storedir.Dir, name string) error {
	for i := range len(name) + 1 {
		if i == len(name) || name[i] == '/' {
			if _, err := home.Mkdir(name[:i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// heal makes the records agree with what is gone.
func (r *repairer) heal(f Fault) error {
	if f.Run == "" || f.Kind == faultMissing {
		return nil
	}
	if f.Kind == faultRecord {
		r.Lost = append(r.Lost, f.Run)
		r.l.known.remove(f.Run)
		return r.move(slicesName(f.Run))
	}
	n, err := readRecord(r.l.home, f.Run)
	if err != nil {
		return err
	}
	if f.Name == "" {
		n.Slices = SliceFile{}
	} else {
		n.Artefacts = slices.DeleteFunc(n.Artefacts,
			func(a Artefact) bool { return a.Kind == f.Kind && a.Name == f.Name })
	}
	n.Mark = "" // it was made of what is gone, too
	if n.Run.Status == Complete {
		n.Run.Status = Partial
	}
	n.Run.Reason = strings.TrimPrefix(fmt.Sprintf("%s; hone ledger repair has moved aside what was damaged: %s",
		n.Run.Reason, f.Kind), "; ")
	if !slices.Contains(r.Changed, f.Run) {
		r.Changed = append(r.Changed, f.Run)
	}
	return r.l.store(n)
}

// comparisons stores a comparison for each that is lost, and whose runs are not.
func (r *repairer) comparisons() error {
	runs := r.l.known.runsOf()
	for _, id := range slices.Sorted(maps.Keys(runs)) {
		if r.l.known.taken(id) {
			continue
		}
		if !slices.Contains(r.Lost, id) {
			r.Lost = append(r.Lost, id)
		}
		err := r.l.store(&Record{Seq: r.l.nextSeq(),
			Comparison: &Comparison{ID: id, Status: Crashed, Started: r.l.known.records[runs[id][0]].Run.Started,
				Reason: "its record was damaged, and hone ledger repair has moved it aside"}})
		if err != nil {
			return err
		}
	}
	return nil
}

// baselines keeps those whose run is there. A damaged file of them is moved aside.
func (r *repairer) baselines() error {
	all, err := readBaselines(r.l.home)
	if err != nil {
		return r.move(baselinesName)
	}
	left := slices.DeleteFunc(slices.Clone(all), func(b Baseline) bool { return r.l.known.records[b.Run] == nil })
	if len(left) == len(all) {
		return nil
	}
	return writeBaselines(r.l.home, left)
}
