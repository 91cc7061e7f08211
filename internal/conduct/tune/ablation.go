package tune

import (
	"cmp"
	"context"
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
)

// AblationSchema is that of Ablation as JSON.
const AblationSchema = "hone.ablation/1"

// Ablation is what the features of a program cost: the full program is A, and each setting is the
// program without one feature.
type Ablation struct {
	Schema string `json:"schema"`
	*Round
	// Features are what goes away without each, the one that costs most CPU time first; those
	// whose cost is not shown come last.
	Features []Feature `json:"features"`
}

// Feature is what a feature costs: what the full program takes more than the program without it.
type Feature struct {
	Name string `json:"name"`
	Run  string `json:"run"` // of the program without it
	// Found says that a cost in CPU time was shown: the whole interval lies above 0.
	Found bool  `json:"found"`
	Claim Claim `json:"claim_without"`
	// CPU, Bytes, P50 and P99 are the costs that were observed.
	CPU   *Cost `json:"cpu,omitempty"`
	Bytes *Cost `json:"allocated,omitempty"`
	P50   *Cost `json:"p50,omitempty"`
	P99   *Cost `json:"p99,omitempty"`
	// CollectorWith and CollectorWithout are the collector's shares of the CPU time, 0 to 1, of
	// the full program and of that without the feature; nil where too few cycles ended.
	CollectorWith    *float64 `json:"gc_cpu_share_with,omitempty"`
	CollectorWithout *float64 `json:"gc_cpu_share_without,omitempty"`
	Different        string   `json:"answers_differ,omitempty"`
}

// Cost is the part of a measure that goes away without a feature.
type Cost struct {
	// Unit is that of Value, which is per request; Share is the same as a part of what the full
	// program takes, with its interval Low to High. A negative cost is a saving.
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Bounded says that the cost has an interval, Shown that the interval does not cover 0.
	Bounded bool    `json:"bounded"`
	Shown   bool    `json:"shown"`
	Conf    float64 `json:"confidence"`
}

// Ablate measures the full program beside itself without each feature.
func (t Trial) Ablate(ctx context.Context, features []Setting) (*Ablation, error) {
	r, err := t.round(ctx, features, t.Request.Budget, t.alpha())
	if err != nil {
		return nil, err
	}
	return ablationOf(r), nil
}

func ablationOf(r *Round) *Ablation {
	out := &Ablation{Schema: AblationSchema, Round: r}
	for _, e := range r.Effects {
		f := Feature{
			Name: e.Name, Run: e.Run, Claim: e.Claim, Found: e.Claim == Less, Different: e.Different,
			CPU: cost(e, measure.CPU.Key), Bytes: cost(e, measure.Bytes.Key), P50: cost(e, "p50"), P99: cost(e, "p99"),
			CollectorWith: r.AsIs.Collector, CollectorWithout: e.Collector,
		}
		out.Features = append(out.Features, f)
	}
	slices.SortStableFunc(out.Features, func(a, b Feature) int {
		return cmp.Or(rank(a.Found)-rank(b.Found), cmp.Compare(b.share(), a.share()))
	})
	return out
}

func rank(found bool) int {
	if found {
		return 0
	}
	return 1
}

// share is the part of the CPU time that the feature takes, by the estimate.
func (f Feature) share() float64 {
	if f.CPU == nil {
		return 0
	}
	return f.CPU.Share
}

// cost is what goes away of a measure; nil where it was not observed.
func cost(e Effect, key string) *Cost {
	v, ok := e.OnKey(key)
	if !ok {
		return nil
	}
	c := &Cost{Unit: v.Measure.Unit, Value: v.A * (1 - v.Ratio), Share: 1 - v.Ratio, Conf: v.Conf, Bounded: v.Bounded()}
	if c.Bounded {
		c.Low, c.High = 1-v.High, 1-v.Low
		c.Shown = c.Low > 0 || c.High < 0
	}
	return c
}
