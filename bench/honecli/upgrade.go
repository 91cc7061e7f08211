package honecli

import (
	"context"
	"errors"
	"fmt"
)

// Divided is what hone upgrade says of a change from one release of Go to the next: in parts of the older one's value.
type Divided struct {
	Key    string
	Change Cost
	Parts  []Part
	Rest   float64 `json:"rest_share"`
}

// Part is a part of a release, the one with the largest effect first. Off are the KEY=VALUE that switch it off.
type Part struct {
	Name string
	Off  []string
	Cost Cost
}

// Cost is a change with its interval; Shown says that this excludes none.
type Cost struct {
	Share, Low, High float64
	Shown            bool
}

// upgradeAnswer is what is read of hone upgrade --json.
type upgradeAnswer struct {
	Schema  string
	Missing []struct{ Name, Reason string }
	Boxes   []struct {
		Failure string
		Rows    []upgradeRow
	}
	Benchmarks []upgradeRow
}

type upgradeRow struct {
	Failure string
	Parts   *struct {
		Failure  string
		Measures []Divided
	}
}

// Upgrade runs hone upgrade for two releases, on a service or one benchmark, and returns what it says of the measure
// with a key; nil where it calls that no different.
func (h Hone) Upgrade(ctx context.Context, key string, args ...string) (*Divided, error) {
	var u upgradeAnswer
	if _, err := h.Ask(ctx, &u, nil, "upgrade --quiet", args...); err != nil {
		return nil, err
	}
	return u.of(key)
}

func (u upgradeAnswer) of(key string) (*Divided, error) {
	if u.Schema != "hone.upgrade/1" {
		return nil, fmt.Errorf("schema %q, want hone.upgrade/1: build hone and this program from the same source",
			u.Schema)
	}
	for _, m := range u.Missing {
		return nil, fmt.Errorf("%s cannot build it: %s", m.Name, m.Reason)
	}
	rows := u.Benchmarks
	for _, b := range u.Boxes {
		if b.Failure != "" {
			return nil, errors.New(b.Failure)
		}
		rows = append(rows, b.Rows...)
	}
	for _, r := range rows {
		switch {
		case r.Failure != "":
			return nil, errors.New(r.Failure)
		case r.Parts == nil:
			continue
		case r.Parts.Failure != "":
			return nil, errors.New(r.Parts.Failure)
		}
		for i, m := range r.Parts.Measures {
			if m.Key == key {
				return &r.Parts.Measures[i], nil
			}
		}
	}
	return nil, nil
}
