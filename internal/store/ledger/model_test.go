package ledger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/store/packed"
)

// modelRun is what the ledger should know of a run.
type modelRun struct {
	id     string
	status Status
	slices int
	names  []string
	// measures are given, and stored with the end.
	measures []string
}

// Any sequence of beginnings, slices, artefacts, measures, ends, baselines and
// reopenings leaves the ledger with what a list in memory has.
func TestLedgerIsAsTheModel(t *testing.T) {
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		m := &model{t: rt, dir: fmt.Sprint(root, "/", n), drafts: map[string]*Draft{}, baselines: map[string]string{}}
		m.open()
		defer func() { m.l.Close() }()
		// Each step syncs the disk: few of them, many sequences.
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			rapid.SampledFrom([]func(){m.begin, m.addSlices, m.addSlices, m.addArtefact, m.addMeasure, m.finish,
				m.setBaseline, m.setBaseline, m.clearBaseline, m.reopen}).Draw(rt, "step")()
		}
		m.check()
	})
}

type model struct {
	t      *rapid.T
	dir    string
	l      *Ledger
	runs   []*modelRun
	drafts map[string]*Draft
	// baselines are runs by name.
	baselines map[string]string
}

func (m *model) must(err error) {
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *model) open() {
	l, err := Open(m.dir)
	m.must(err)
	m.l = l
}

// pick draws an unfinished run, nil if there is none.
func (m *model) pick() *modelRun {
	var open []*modelRun
	for _, r := range m.runs {
		if r.status == Running {
			open = append(open, r)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[rapid.IntRange(0, len(open)-1).Draw(m.t, "run")]
}

func (m *model) begin() {
	d, err := m.l.BeginRun(Run{Label: "model"})
	m.must(err)
	m.drafts[d.ID()] = d
	m.runs = append(m.runs, &modelRun{id: d.ID(), status: Running})
}

func (m *model) addSlices() {
	r := m.pick()
	if r == nil {
		return
	}
	var batch []packed.Slice
	for range rapid.IntRange(0, 3).Draw(m.t, "slices") {
		batch = append(batch, packed.Slice{Place: packed.Place{Index: r.slices + len(batch)}})
	}
	m.must(m.drafts[r.id].AddSlices(batch))
	r.slices += len(batch)
}

func (m *model) addArtefact() {
	r := m.pick()
	if r == nil {
		return
	}
	name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(m.t, "name")
	_, err := m.drafts[r.id].AddArtefact("kind", name, strings.NewReader(name))
	if taken := slices.Contains(r.names, name); (err != nil) != taken {
		m.t.Fatalf("artefact %s, taken before %v: %v", name, taken, err)
	} else if !taken {
		r.names = append(r.names, name)
	}
}

func (m *model) addMeasure() {
	r := m.pick()
	if r == nil {
		return
	}
	name := rapid.SampledFrom([]string{"cpu", "p99", "rate"}).Draw(m.t, "measure")
	err := m.drafts[r.id].AddMeasures([]MeasureValue{{Name: name, Unit: "ns", Value: float64(len(r.measures))}})
	if taken := slices.Contains(r.measures, name); (err != nil) != taken {
		m.t.Fatalf("measure %s, taken before %v: %v", name, taken, err)
	} else if !taken {
		r.measures = append(r.measures, name)
	}
}

func (m *model) baselineName() string {
	return rapid.SampledFrom([]string{"default", "main", "v1.2/x"}).Draw(m.t, "baseline")
}

func (m *model) setBaseline() {
	if len(m.runs) == 0 {
		return
	}
	r, name := rapid.SampledFrom(m.runs).Draw(m.t, "run"), m.baselineName()
	_, err := m.l.SetBaseline(name, r.id, "")
	if (err == nil) != (r.status == Complete) {
		m.t.Fatalf("pin run %s, which is %s: %v", r.id, r.status, err)
	}
	if err == nil {
		m.baselines[name] = r.id
	}
}

func (m *model) clearBaseline() {
	name := m.baselineName()
	b, err := m.l.ClearBaseline(name)
	if run, known := m.baselines[name]; known != (err == nil) || b.Run != run {
		m.t.Fatalf("cleared %+v, want run %q: %v", b, run, err)
	}
	delete(m.baselines, name)
}

func (m *model) finish() {
	r := m.pick()
	if r == nil {
		return
	}
	r.status = rapid.SampledFrom(finals).Draw(m.t, "status")
	m.must(m.drafts[r.id].Finish(r.status, "", nil))
}

func (m *model) reopen() {
	m.must(m.l.Close())
	for _, r := range m.runs {
		if r.status == Running {
			r.status = Interrupted
		}
	}
	m.open()
}

func (m *model) check() {
	runs, err := m.l.Runs(RunFilter{})
	m.must(err)
	if len(runs) != len(m.runs) {
		m.t.Fatalf("%d runs, want %d", len(runs), len(m.runs))
	}
	for i, want := range m.runs {
		got := runs[len(runs)-1-i] // the newest first
		s, err := m.l.Slices(want.id)
		m.must(err)
		a, err := m.l.Artefacts(want.id)
		m.must(err)
		var names []string
		for _, one := range a {
			names = append(names, one.Name)
		}
		given, err := m.l.Measures(want.id)
		m.must(err)
		if want.status == Running && len(given) > 0 || want.status != Running && len(given) != len(want.measures) {
			m.t.Fatalf("run %s is %s with %v, given were %v", got.ID, got.Status, given, want.measures)
		}
		if got.ID != want.id || got.Status != want.status || len(s) != want.slices || !slices.Equal(names, want.names) {
			m.t.Fatalf("run %s is %s with %d slices and %v, want %+v", got.ID, got.Status, len(s), names, want)
		}
	}
	all, err := m.l.Baselines()
	m.must(err)
	if len(all) != len(m.baselines) {
		m.t.Fatalf("baselines %v, want %v", all, m.baselines)
	}
	for _, b := range all {
		if r, err := m.l.Run("baseline:" + b.Name); err != nil || r.ID != m.baselines[b.Name] {
			m.t.Fatalf("baseline %s is %s, want %s: %v", b.Name, r.ID, m.baselines[b.Name], err)
		}
	}
}
