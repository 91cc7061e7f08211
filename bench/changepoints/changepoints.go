// Package changepoints holds the change points of hone history against series whose changes are known: the patterns of
// otava-test-data, made for Apache Otava (formerly Hunter), and the series of the Turing Change Point Dataset, each
// annotated by about five people. hone gets them as hone history does: history.ChangePoints at the default level, the
// newest values only. Otava gets the same values, with its own settings and at hone's level.
//
// A change is found if a point is at most 5 values away, which is the tolerance of otava-test-data and of the dataset's
// authors. Each point finds one change. Outliers are not changes, as in otava-test-data's own accuracy. Half of the
// series, by a hash of the name, are closed: who changes the method looks at the open ones only, until he is done.
//
// What it does not show: histories of hone itself. Three patterns are periodic, and many annotated series are trends or
// seasons; hone takes values to be independent but for the changes. Neither repository has results of its own; those of
// ecp, E-divisive in R, on the whole series are in alan-turing-institute/TCPDBench.
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
	Name:  "changepoints",
	Shows: "are the change points of hone history where the changes of public series are, beside Apache Otava",
	Takes: "half a minute", Needs: "clones from GitHub, python3 with apache-otava 0.8.0 (pip install)", Run: run,
}

// seed fixes what hone shuffles; each series has a stream of its own.
const seed = 2014

func run(ctx context.Context, b *bed.Bed) error {
	var clones corpus.Clones
	var tool otava
	var halves []half
	clones.Flag(b)
	b.StringVar(&tool.python, "python", "python3", "Python `program` that has apache-otava")
	bed.Choice(b.Flags, &halves, "half", "", "half", []half{open, closed}, half.String, "only these series")
	if err := b.Start(ctx); err != nil {
		return err
	}
	dirs, err := clone(ctx, b, clones, generators, dataset)
	if err != nil {
		return err
	}
	tool.patternsDir = dirs[0]
	version, err := tool.version(ctx)
	if err != nil {
		return err
	}
	b.With = append(b.With, "apache-otava "+version)
	patterns, err := tool.patterns(ctx)
	if err != nil {
		return err
	}
	annotated, err := readDataset(dirs[1])
	if err != nil {
		return err
	}
	var results [2][]result
	for i, all := range [][]series{patterns, annotated} {
		if results[i], err = find(ctx, tool, among(all, halves)); err != nil {
			return err
		}
	}
	document(b.Result, results[0], results[1])
	return nil
}

// clone has the directories of repositories, and notes their commits.
func clone(ctx context.Context, b *bed.Bed, clones corpus.Clones, repos ...string) (dirs []string, err error) {
	for _, repo := range repos {
		dir, err := clones.Clone(ctx, repo)
		if err != nil {
			return nil, err
		}
		commit, err := corpus.Head(ctx, dir)
		if err != nil {
			return nil, fmt.Errorf("read the commit of %s: %w", dir, err)
		}
		b.With, dirs = append(b.With, repo+" "+commit), append(dirs, dir)
	}
	return dirs, nil
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
func find(ctx context.Context, tool otava, all []series) ([]result, error) {
	own, err := tool.find(ctx, all, ownSettings)
	if err != nil {
		return nil, err
	}
	level, err := tool.find(ctx, all, settings{Window: ownSettings.Window, Level: judge.DefaultAlpha})
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
