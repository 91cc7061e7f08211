package probeclient

import (
	"context"
	"slices"
	"time"
)

// CollectionsKept is how many ends of collections a Go runtime remembers (runtime.MemStats, PauseEnd).
const CollectionsKept = 256

// CollectionEnds is when the latest collections ended, the oldest first: at most CollectionsKept.
func (p *Probe) CollectionEnds(ctx context.Context) ([]time.Time, error) {
	var answer struct {
		Ends []int64 `json:"ends_ns"`
	}
	if err := p.json(ctx, "/gc/ends", &answer); err != nil {
		return nil, err
	}
	ends := make([]time.Time, len(answer.Ends))
	for i, at := range answer.Ends {
		ends[i] = time.Unix(0, at)
	}
	return ends, nil
}

// CollectionEnds is when the latest collections of all processes ended, the oldest first.
func (p *Probes) CollectionEnds(ctx context.Context) ([]time.Time, error) {
	answers, err := Each(ctx, p,
		func(ctx context.Context, _ int, probe *Probe) ([]time.Time, error) { return probe.CollectionEnds(ctx) })
	if err != nil {
		return nil, err
	}
	var all []time.Time
	for _, ends := range answers.Of {
		all = append(all, ends...)
	}
	slices.SortFunc(all, time.Time.Compare)
	return all, nil
}

// Collect has all processes collect garbage, and returns when they have: Runtime.HeapLiveBytes is then what they hold.
func (p *Probes) Collect(ctx context.Context) error {
	_, err := Each(ctx, p, func(ctx context.Context, _ int, probe *Probe) ([]byte, error) {
		return probe.get(ctx, "/gc", probePatience, maxAnswer)
	})
	return err
}

// maxAnswer bounds an answer of a few words.
const maxAnswer = 1 << 10
