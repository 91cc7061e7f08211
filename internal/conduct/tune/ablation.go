package tune

import (
	"cmp"
	"context"
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/tuning"
)

// Ablate measures the full program beside itself without each feature.
func (t Trial) Ablate(ctx context.Context, features []tuning.Setting) (*tuning.Ablation, error) {
	r, err := t.round(ctx, features, t.Task.Budget, t.Level())
	if err != nil {
		return nil, err
	}
	return ablationOf(r), nil
}

func ablationOf(r *tuning.Round) *tuning.Ablation {
	out := &tuning.Ablation{Schema: tuning.AblationSchema, Round: r}
	for _, e := range r.Effects {
		f := tuning.Feature{
			Name: e.Name, Run: e.Run, Claim: e.Claim, Found: e.Claim == tuning.Less, Different: e.Different,
			CPU: cost(e, measure.CPU.Key), Bytes: cost(e, measure.Bytes.Key), P50: cost(e, "p50"), P99: cost(e, "p99"),
			CollectorWith: r.AsIs.Collector, CollectorWithout: e.Collector,
		}
		out.Features = append(out.Features, f)
	}
	slices.SortStableFunc(out.Features, func(a, b tuning.Feature) int {
		return cmp.Or(rank(a.Found)-rank(b.Found), cmp.Compare(b.Share(), a.Share()))
	})
	return out
}

func rank(found bool) int {
	if found {
		return 0
	}
	return 1
}

// cost is what goes away of a measure; nil where it was not observed.
func cost(e tuning.Effect, key string) *tuning.Cost {
	v, ok := e.OnKey(key)
	if !ok {
		return nil
	}
	c := &tuning.Cost{Unit: v.Measure.Unit, Value: v.A * (1 - v.Ratio), Share: 1 - v.Ratio, Conf: v.Conf,
		Bounded: v.Bounded()}
	if c.Bounded {
		c.Low, c.High = 1-v.High, 1-v.Low
		c.Shown = c.Low > 0 || c.High < 0
	}
	return c
}
