// Package changepoints holds the change points of hone history against series whose changes are known: the patterns of
// otava-test-data, made for Apache Otava (formerly Hunter), and the series of the Turing Change Point Dataset, each annotated by about five
// people. hone gets them as hone history does: history.ChangePoints at the default level, the newest values only. Otava gets the same
// values, with its own settings and at hone's level.
//
// A change is found if a point is at most 5 values away, which is Otava's and the dataset's own tolerance; each point finds one change.
// Outliers are not changes, as in otava-test-data's own accuracy. Half of the series, chosen by a hash of the name, are closed: whoever
// changes the method looks at the open ones until he is done.
//
// What it does not show: histories of hone itself. Two of the patterns are periodic, and many of the annotated series are trends or
// seasons; hone takes values to be independent but for the changes.
package changepoints

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/judge"
)

// Case is the comparison.
var Case = bed.Case{
	Name: "changepoints", Shows: "are the change points of hone history where the changes of public series are, beside Apache Otava",
	Takes: "a minute", Needs: "clones from GitHub, python3 with otava-test-data 0.1.9 and apache-otava 0.8.0 (pip install)", Run: run,
}

// seed fixes what hone shuffles; each series has a stream of its own.
const seed = 2014

func run(ctx context.Context, b *bed.Bed) error {
	var clones corpus.Clones
	var otava program
	var halves []half
	clones.Flag(b)
	b.StringVar((*string)(&otava), "python", "python3", "Python `program` that has both packages")
	bed.Choice(b.Flags, &halves, "half", "", "half", []half{open, closed}, half.String, "only these series")
	if err := b.Start(ctx); err != nil {
		return err
	}
	patterns, err := otava.patterns(ctx)
	if err != nil {
		return err
	}
	annotated, err := readDataset(ctx, clones)
	if err != nil {
		return err
	}
	b.With, err = otava.versions(ctx)
	if err != nil {
		return err
	}
	var results [2][]result
	for i, all := range [][]series{patterns, annotated} {
		if results[i], err = find(ctx, otava, among(all, halves)); err != nil {
			return err
		}
	}
	document(b.Result, results[0], results[1])
	return nil
}

// method is what looks for changes.
type method int

// The methods.
const (
	hone method = iota
	otavaOwn
	otavaLevel // Otava at hone's level
	nothing    // finds none: what the others have to surpass
	methods
)

// result is what each method found in a series.
type result struct {
	series
	found [methods][]int
}

// find has all methods look for the changes of all series.
func find(ctx context.Context, otava program, all []series) ([]result, error) {
	own, err := otava.find(ctx, all, ownSettings)
	if err != nil {
		return nil, err
	}
	level, err := otava.find(ctx, all, settings{Window: ownSettings.Window, Level: judge.DefaultAlpha})
	if err != nil {
		return nil, err
	}
	results := make([]result, len(all))
	for i, s := range all {
		r := result{series: s}
		if r.found[hone], err = s.byHone(); err != nil {
			return nil, err
		}
		r.found[otavaOwn], r.found[otavaLevel] = own[i], level[i]
		results[i] = r
	}
	return results, nil
}

// byHone are the points of hone history.
func (s series) byHone() (at []int, err error) {
	points, err := history.ChangePoints(s.Values, 0, judge.DefaultAlpha, rand.New(rand.NewPCG(seed, s.hash())))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	for _, p := range points {
		at = append(at, p.Index)
	}
	return at, nil
}
