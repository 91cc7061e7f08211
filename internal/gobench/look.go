package gobench

import (
	"errors"
	"time"

	"github.com/gohone/hone/internal/compare"
)

// look decides on the benchmarks that are not settled, and says why the rounds should
// end, or "".
func (m *measurement) look(clock *pace) (stopped string, err error) {
	began, last := time.Now(), clock.last()
	clock.looks = append(clock.looks, clock.look())
	clock.next = compare.NextLook(clock.rounds)
	for _, b := range m.benches {
		if !b.done {
			b.looks = clock.looks
		}
	}
	if err := m.decide(); err != nil {
		return "", err
	}
	settled := 0
	for _, b := range m.benches {
		b.done = b.done || m.settled(b)
		if b.done {
			settled++
		}
	}
	clock.looked = time.Now()
	clock.looking = clock.looked.Sub(began)
	switch {
	case settled == len(m.benches) && len(m.request.Gates) > 0:
		return StoppedGates, nil
	case settled == len(m.benches):
		return StoppedDecided, nil
	case last && m.request.Count > 0 && clock.rounds >= m.request.Count:
		return StoppedCount, nil
	case last:
		return StoppedBudget, nil
	}
	return "", nil
}

// decide shares the level among the benchmarks and decides on the deciding measure.
func (m *measurement) decide() error {
	var contests []*contest
	for _, b := range m.benches {
		contests = append(contests, &b.time)
	}
	return holm(contests, m.request.options().Alpha, func(i int, alpha float64) (compare.Verdict, error) {
		b := m.benches[i]
		return compare.Decide(b.deciding(), b.blocks, m.optionsFor(b, alpha))
	})
}

// deciding is the measure that settles a benchmark: time, unless it reports none.
func (b *bench) deciding() compare.Measure {
	if len(b.units) == 0 {
		return Time
	}
	for _, unit := range b.units {
		if measureOf(unit).Key == Time.Key {
			return Time
		}
	}
	return measureOf(b.units[0])
}

// optionsFor are the rules for one benchmark at a share of the level.
func (m *measurement) optionsFor(b *bench, alpha float64) compare.Options {
	o := m.request.options()
	o.Alpha, o.Looks = alpha, b.looks
	return o
}

// settled says whether more rounds could change nothing that counts: the verdict, or with
// gates their outcomes.
func (m *measurement) settled(b *bench) bool {
	if len(m.request.Gates) == 0 {
		return b.time.decided
	}
	for _, g := range m.request.Gates {
		v, err := m.gateVerdict(b, g.Measure)
		if err != nil {
			continue // it is not observed, and will not be
		}
		if outcome, _ := g.Judge(v); outcome == compare.Open {
			return false
		}
	}
	return true
}

// gateVerdict shares the level evenly among the benchmarks: a gate is about the interval,
// and all intervals shall hold at once.
func (m *measurement) gateVerdict(b *bench, measure compare.Measure) (compare.Verdict, error) {
	return compare.Decide(measure, b.blocks, m.optionsFor(b, m.request.options().Alpha/float64(len(m.benches))))
}

// conclude fills in the verdicts, whatever ended the rounds.
func (m *measurement) conclude() error {
	if err := m.decide(); err != nil { // rounds since the last look count too
		return err
	}
	byKey, order := m.others()
	for _, b := range m.benches {
		out := Benchmark{Package: b.pkg.path, Name: b.name, Operations: b.n, Rounds: len(b.blocks)}
		if b.time.known {
			out.Verdicts = append(out.Verdicts, b.time.verdict)
		}
		for _, key := range order {
			if v, ok := byKey[key][b]; ok {
				out.Verdicts = append(out.Verdicts, v)
			}
		}
		out.Gates = m.gates(b)
		m.result.Benchmarks = append(m.result.Benchmarks, out)
	}
	return m.geomean(order)
}

// others decides on the measures beside the deciding one, each a family of its own.
func (m *measurement) others() (byKey map[string]map[*bench]compare.Verdict, order []string) {
	byKey = map[string]map[*bench]compare.Verdict{}
	members := map[string][]*bench{}
	measures := map[string]compare.Measure{}
	for _, b := range m.benches {
		for _, unit := range b.units {
			measure := measureOf(unit)
			if measure.Key == b.deciding().Key {
				continue
			}
			if measures[measure.Key].Key == "" {
				measures[measure.Key], order = measure, append(order, measure.Key)
			}
			members[measure.Key] = append(members[measure.Key], b)
		}
	}
	for key, benches := range members {
		contests := make([]*contest, len(benches))
		for i := range contests {
			contests[i] = &contest{}
		}
		// What cannot be compared is left out: a measure that changes its sign, say.
		_ = holm(contests, m.request.options().Alpha, func(i int, alpha float64) (compare.Verdict, error) {
			v, err := compare.Decide(measures[key], benches[i].blocks, m.optionsFor(benches[i], alpha))
			if err != nil {
				err = compare.ErrNotObserved
			}
			return v, err
		})
		byKey[key] = map[*bench]compare.Verdict{}
		for i, c := range contests {
			if c.known {
				byKey[key][benches[i]] = c.verdict
			}
		}
	}
	return byKey, order
}

// gates are the outcomes of the gates for one benchmark. What was not observed is open:
// it is no pass.
func (m *measurement) gates(b *bench) []compare.GateResult {
	var all []compare.GateResult
	for _, g := range m.request.Gates {
		r := compare.GateResult{Gate: g, Variant: "B", Outcome: compare.Open, Reason: "the benchmark does not report it"}
		v, err := m.gateVerdict(b, g.Measure)
		switch {
		case err == nil:
			r.Outcome, r.Reason = g.Judge(v)
		case len(b.blocks) == 0:
			r.Reason = "not measured"
		case !errors.Is(err, compare.ErrNotObserved):
			r.Reason = err.Error()
		case g.Measure.Key == CPU.Key:
			r.Reason = "the process is too short to tell its CPU time: raise --benchtime"
		}
		all = append(all, r)
	}
	return all
}
