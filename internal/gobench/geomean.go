package gobench

import (
	"errors"
	"math"

	"github.com/gohone/hone/internal/compare"
)

// geomean decides on the geometric mean over all benchmarks that have a measure: of each
// round in which all of them ran, their geometric mean on A and on B is one sample, so
// that the interval comes from the rounds.
func (m *measurement) geomean(keys []string) error {
	all := []compare.Measure{Time}
	for _, key := range keys {
		if key != Time.Key {
			all = append(all, m.measureByKey(key))
		}
	}
	for _, measure := range all {
		blocks, looks, n := m.geomeanBlocks(measure)
		if n < 2 || len(blocks) == 0 {
			continue
		}
		o := m.request.options()
		o.Looks = looks
		v, err := compare.Decide(measure, blocks, o)
		if errors.Is(err, compare.ErrNotObserved) {
			continue
		}
		if err != nil {
			return err
		}
		m.result.Geomean = append(m.result.Geomean, v)
	}
	return nil
}

func (m *measurement) measureByKey(key string) compare.Measure {
	for _, b := range m.benches {
		for _, unit := range b.units {
			if measure := measureOf(unit); measure.Key == key {
				return measure
			}
		}
	}
	return Time
}

// geomeanBlocks are the rounds that all benchmarks took part in, the looks up to then, and
// how many benchmarks have the measure.
func (m *measurement) geomeanBlocks(measure compare.Measure) (blocks []compare.Block, looks []compare.Look, n int) {
	var having []*bench
	rounds := math.MaxInt
	for _, b := range m.benches {
		if len(b.blocks) > 0 && present(b.blocks[0], measure.Key) {
			having = append(having, b)
			rounds = min(rounds, len(b.blocks))
			if len(b.looks) > len(looks) {
				looks = b.looks
			}
		}
	}
	if len(having) < 2 {
		return nil, nil, len(having)
	}
	for i := range rounds {
		var logs [2]float64
		for _, b := range having {
			for side, s := range []compare.Sample{b.blocks[i].A, b.blocks[i].B} {
				value, ok := s[measure.Key]
				if !ok {
					value = math.NaN() // this round does not count
				}
				logs[side] += math.Log(max(value, measure.Floor)) / float64(len(having))
			}
		}
		blocks = append(blocks, compare.Block{
			A: compare.Sample{measure.Key: math.Exp(logs[0])}, B: compare.Sample{measure.Key: math.Exp(logs[1])},
		})
	}
	for len(looks) > 0 && looks[len(looks)-1].Blocks > rounds {
		looks = looks[:len(looks)-1] // not to be spent: it saw rounds that are not here
	}
	return blocks, looks, len(having)
}

func present(b compare.Block, key string) bool {
	_, a := b.A[key]
	_, bb := b.B[key]
	return a && bb
}
