package library

import (
	"errors"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// Together is the series of several databases.
type Together []storage.Queryable

// Querier reads samples from mint to maxt, milliseconds since 1970, both included.
func (t Together) Querier(mint, maxt int64) (storage.Querier, error) {
	var all []storage.Querier
	for _, one := range t {
		q, err := one.Querier(mint, maxt)
		if err != nil {
			for _, q := range all {
				err = errors.Join(err, q.Close())
			}
			return nil, err
		}
		all = append(all, q)
	}
	return storage.NewMergeQuerier(all, nil, storage.ChainedSeriesMerge), nil
}

// block is a block of a database that can be queried.
type block struct{ *tsdb.Block }

func (b block) Querier(mint, maxt int64) (storage.Querier, error) {
	if !b.OverlapsClosedInterval(mint, maxt) {
		return storage.NoopQuerier(), nil
	}
	return tsdb.NewBlockQuerier(b.Block, mint, maxt)
}
