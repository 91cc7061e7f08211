package reach

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// plantedIn is a slow-down in one function of a service.
type plantedIn struct {
	// Function is FILE:NAME or FILE:TYPE.NAME, Executed whether a load executes it, by the counters; Iterations are those
	// of a loop in it.
	Function   string `json:"function"`
	Executed   bool   `json:"executed"`
	Iterations int    `json:"iterations"`
	// Says is what hone says executes it, Words why the comparison ended, and its verdict.
	Says  says   `json:"says"`
	Words string `json:"words"`
}

// says is what hone says executes a function.
type says string

// What it may say. noTable is nothing at all.
const (
	byLoad    says = "the load"
	byStart   says = "the start"
	byNothing says = "nothing"
	inDoubt   says = "in doubt"
	notListed says = "not listed"
	noTable   says = "no table"
)

// right says whether hone is. What is in doubt is measured, which is right of both.
func (p plantedIn) right() bool {
	if p.Executed {
		return p.Says == byLoad || p.Says == inDoubt
	}
	return p.Says != byLoad && p.Says != noTable
}

// String is how progress shows it.
func (p plantedIn) String() string {
	return fmt.Sprintf("planted in %s, executed %v; hone says %s: %s", p.Function, p.Executed, p.Says, p.Words)
}

// slowdown is a trial: a slow-down to plant.
type slowdown struct {
	corpus.Commit
	plantedIn
}

// String is how progress names it.
func (s slowdown) String() string { return s.Repo + " " + s.Function }

func (s slowdown) key() string {
	return record{Repo: s.Repo, Commit: s.Commit.Commit, Planted: &s.plantedIn}.key()
}

// slowdowns are the planted ones that the records lack. The functions of a service are drawn by its name, so that a
// later session draws the same.
func (c config) slowdowns(ctx context.Context, records []record) (todo []slowdown, err error) {
	done := bed.Last(records, func(r record) (string, bool) { return r.key(), r.Planted != nil })
	maps.DeleteFunc(done, func(_ string, r record) bool { return c.Again && !r.Planted.right() })
	var left [2]int // to take, by whether they are executed
	for i := range left {
		left[i] = c.planted
	}
	for _, r := range done {
		left[index(r.Planted.Executed)]--
	}
	if left[0] <= 0 && left[1] <= 0 {
		return nil, nil
	}
	lists, err := c.surveys(ctx)
	if err != nil {
		return nil, err
	}
	for i, took := 0, true; took; i++ {
		took = false
		for _, list := range lists {
			if i >= len(list) {
				continue
			}
			took = true
			if _, has := done[list[i].key()]; !has && left[index(list[i].Executed)] > 0 {
				left[index(list[i].Executed)]--
				todo = append(todo, list[i])
			}
		}
	}
	return todo, nil
}

func index(executed bool) int {
	if executed {
		return 1
	}
	return 0
}

// surveys are the slow-downs that services have a place for, by service. One that does not build or start is left out.
func (c config) surveys(ctx context.Context) (lists [][]slowdown, err error) {
	for _, s := range slices.Concat(corpus.Services, corpus.MoreServices) {
		if len(c.only) > 0 && !slices.Contains(c.only, s.Repo) {
			continue
		}
		list, err := c.survey(ctx, s)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			b := cut(err)
			c.Progress("%s is left out: %s", s.Repo, b)
			continue
		}
		c.Progress("%s: %d functions to plant in", s.Repo, len(list))
		lists = append(lists, list)
	}
	return lists, nil
}

// compareBudget is the least with which hone asks what a load executes.
const compareBudget = 10 * time.Second

// plant makes a slow-down, and asks hone whether its load executes what changed.
func (c config) plant(ctx context.Context, s slowdown) (r record, err error) {
	r = record{Repo: s.Repo, Commit: s.Commit.Commit, Planted: &s.plantedIn}
	dir, err := os.MkdirTemp(c.Dir, "reach-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, err := c.clones.Tree(ctx, s.Commit, dir)
	if err != nil {
		return r, err
	}
	subject := corpus.Subject{Repo: s.Repo, Hot: s.Function}
	if err := subject.Plant(ctx, tree, s.Iterations); err != nil {
		return r, err
	}
	hone := c.Hone
	hone.Dir, hone.Ledger = tree, path.Join(dir, "ledger")
	began := time.Now()
	d, err := hone.Compared(ctx, s.Comparison(s.Commit.Commit, compareBudget, "--no-profile", "--set", "layouts=1",
		"--set", "block=50ms", "--warmup", "50ms")...)
	if err != nil {
		return r, err
	}
	r.Seconds = time.Since(began).Seconds()
	r.Planted.Words = strings.TrimSpace(d.Stopped + " " + string(d.Word))
	r.Planted.Says = noTable
	if len(d.Reach) > 0 {
		var t table
		if err := json.Unmarshal(d.Reach, &t); err != nil {
			return r, fmt.Errorf("read what the load executes: %w", err)
		}
		r.Planted.Says = t.says(s.Function)
	}
	return r, nil
}

// says is what the table says of a function, FILE:NAME.
func (t table) says(function string) says {
	file, name, _ := strings.Cut(function, ":")
	said := notListed
	if len(t.Hidden) > 0 {
		said = inDoubt
	}
	for _, r := range t.Functions {
		if plain(r.Name) != name || path.Base(r.Place.File) != path.Base(file) {
			continue
		}
		switch {
		case r.Uncounted != "":
			return inDoubt
		case slices.Contains(r.Executed, "load"):
			return byLoad
		case slices.Contains(r.Executed, "start"):
			return byStart
		}
		said = byNothing
	}
	return said
}
