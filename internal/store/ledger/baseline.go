package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// DefaultBaseline is the name of a baseline without a given name.
const DefaultBaseline = "default"

// Baseline is a run that others are measured against until another is pinned.
type Baseline struct {
	Name string    `json:"name"`
	Run  string    `json:"run"` // id
	At   time.Time `json:"at"`  // when it was pinned, UTC
	Note string    `json:"note,omitempty"`
}

// baselineNames keeps names that can be typed, and told from ids, anywhere.
var baselineNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)

func checkBaselineName(name string) error {
	if baselineNames.MatchString(name) {
		return nil
	}
	return fail.New(fail.BadInput,
		"baseline name %q: want 1 to 64 letters, digits, dots, dashes, underscores and slashes", name).
		WithHint("for example --name main, or --name cmd/server")
}

// SetBaseline pins the run with this id or prefix under name, instead of what the
// name stood for; an empty name means DefaultBaseline. Only a complete run can be
// pinned; any other, and a bad name, is fail.BadInput.
func (l *Ledger) SetBaseline(name, run, note string) (Baseline, error) {
	name = cmp.Or(name, DefaultBaseline)
	if err := checkBaselineName(name); err != nil {
		return Baseline{}, err
	}
	r, err := l.Run(run)
	if err != nil {
		return Baseline{}, err
	}
	if r.Status != Complete {
		return Baseline{}, fail.New(fail.BadInput,
			"set baseline %q: run %s is %s, and nothing may be measured against it", name, r.ID, r.Status).
			WithHint("pin a complete run: hone history")
	}
	b := Baseline{Name: name, Run: r.ID, At: l.opts.Now().UTC(), Note: note}
	err = l.changeBaselines(b.Name, &b)
	return b, storageNeed(l.dir, rowBytes+uint64(len(note)), err, "set baseline %q", name)
}

// Baseline returns the baseline of this name, DefaultBaseline if it is empty;
// fail.BadInput if there is none.
func (l *Ledger) Baseline(name string) (Baseline, error) {
	name = cmp.Or(name, DefaultBaseline)
	all, err := l.Baselines()
	if err != nil {
		return Baseline{}, err
	}
	var others []string
	for _, b := range all {
		if b.Name == name {
			return b, nil
		}
		others = append(others, b.Name)
	}
	e := fail.New(fail.BadInput, "find baseline %q: no run is pinned under this name", name)
	if near := fail.Nearest(name, others); near != "" {
		return Baseline{}, e.WithHint("did you mean baseline:%s?", near)
	}
	if len(others) > 0 {
		return Baseline{}, e.WithHint("there is %s; or hone baseline set RUN pins one",
			"baseline:"+strings.Join(others, ", baseline:"))
	}
	return Baseline{}, e.WithHint("hone baseline set RUN pins one; hone history lists the runs")
}

// Baselines lists all baselines by name.
func (l *Ledger) Baselines() ([]Baseline, error) {
	all, err := readBaselines(l.home)
	if errors.Is(err, errDamaged) {
		return nil, fail.New(fail.Storage, "read baselines: file %s: %w", l.home.Join(baselinesName),
			err).WithHint("%s", repairHint)
	}
	return all, storage(l.dir, err, "read baselines")
}

// ClearBaseline removes the baseline of this name, DefaultBaseline if it is empty,
// and returns it. Its run stays. fail.BadInput if there is none.
func (l *Ledger) ClearBaseline(name string) (Baseline, error) {
	b, err := l.Baseline(name)
	if err != nil {
		return Baseline{}, err
	}
	err = l.changeBaselines(b.Name, nil)
	return b, storageNeed(l.dir, rowBytes, err, "clear baseline %q", b.Name)
}

// baselineWord says whether a word names a run by its baseline: "baseline" or
// "baseline:NAME".
func baselineWord(word string) (name string, ok bool) {
	if word == "baseline" {
		return DefaultBaseline, true
	}
	return strings.CutPrefix(word, "baseline:")
}

// pinned returns the run that a baseline stands for.
func (l *Ledger) pinned(name string) (Ref, error) {
	if err := checkBaselineName(name); err != nil {
		return Ref{}, err
	}
	b, err := l.Baseline(name)
	if err != nil {
		return Ref{}, err
	}
	ref := Ref{KindRun, b.Run}
	if _, err := l.entry(ref); err != nil {
		return Ref{}, fail.New(fail.Storage, "find baseline %q: its run %s is gone", name, b.Run).WithHint("%s",
			repairHint)
	}
	return ref, nil
}

// Pinned are the runs that are baselines.
func (l *Ledger) Pinned() ([]string, error) {
	all, err := l.Baselines()
	if err != nil {
		return nil, err
	}
	var runs []string
	for _, b := range all {
		runs = append(runs, b.Run)
	}
	return runs, nil
}

// The baselines are one file, which is replaced as a whole.
const (
	baselinesName   = "baselines"
	baselinesSchema = "hone.baselines/2"
)

// readBaselines reads the file; one that is not there has none.
func readBaselines(home *storedir.Dir) ([]Baseline, error) {
	data, err := readFile(home, baselinesName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decodeBaselines(data)
}

// decodeBaselines reads the content of the file, which is not trusted.
func decodeBaselines(data []byte) (all []Baseline, err error) {
	text, err := unseal(baselinesSchema, data)
	if err == nil {
		err = checkDensity(text, 1, listed)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return all, nil
}

// changeBaselines gives name another run, or none.
func (l *Ledger) changeBaselines(name string, to *Baseline) error {
	if l.lock == nil {
		return errReadOnly
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	all, err := l.Baselines()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(b Baseline) bool { return b.Name == name })
	if to != nil {
		all = append(all, *to)
	}
	return writeBaselines(l.home, all)
}

func writeBaselines(home *storedir.Dir, all []Baseline) error {
	slices.SortFunc(all, func(a, b Baseline) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode baselines: %w", err)
	}
	return placeFile(home, baselinesName, seal(baselinesSchema, text))
}
