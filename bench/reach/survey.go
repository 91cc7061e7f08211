package reach

import (
	"context"
	"debug/elf"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/counters"
	"github.com/gohone/hone/bench/proc"
)

// The load of a survey.
const (
	loaders  = 20 // connections, as those of hone's load
	requests = 100
)

// often is how many calls make a function one that the load executes: not by chance, nor once in a while.
const often = loaders * requests / 10

// plantedTime is what a slow-down takes of a request, in iterations of its loop, of about a nanosecond.
const plantedTime = 20_000

// survey finds the functions of a service that a load executes, and some that nothing executes, in a random order in
// which both take turns.
func (c config) survey(ctx context.Context, s corpus.Subject) ([]slowdown, error) {
	dir, err := os.MkdirTemp(c.Dir, "survey-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, what, err := c.clones.On(ctx, s, before, dir)
	if err != nil {
		return nil, err
	}
	at, err := read(ctx, tree, filepath.Join(tree, s.Dir))
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "plain")
	if err := proc.BuildGo(ctx, at.dir, program, "."); err != nil {
		return nil, err
	}
	linked, err := symbols(program)
	if err != nil {
		return nil, err
	}
	if err := counters.Write(at.root, at.module, at.functions); err != nil {
		return nil, err
	}
	program = filepath.Join(dir, "counted")
	if err := proc.BuildGo(ctx, at.dir, program, "."); err != nil {
		return nil, fmt.Errorf("with counters: %w", err)
	}
	before, after, err := loaded(ctx, program, tree, s, len(at.functions))
	if err != nil {
		return nil, err
	}
	return drawn(what, tree, at, linked, before, after)
}

// drawn puts the functions in their order.
func drawn(what corpus.Commit, tree string, at side, linked map[string]bool, before, after []uint64) ([]slowdown,
	error) {
	prefix, err := filepath.Rel(tree, at.root)
	if err != nil {
		return nil, err
	}
	var by [2][]slowdown
	for i, f := range at.functions {
		symbol := at.path(f.Dir)
		if f.Package == "main" {
			symbol = "main"
		}
		name := f.Name
		calls, ever := after[i]-before[i], after[i] > 0
		if strings.Contains(name, "#") || name == "main" || name == "init" || !linked[symbol+"."+name] ||
			ever && calls < often {
			continue
		}
		s := slowdown{what, plantedIn{Function: path.Join(filepath.ToSlash(prefix), f.File) + ":" + name, Executed: ever,
			Iterations: plantedTime}}
		if ever {
			s.Iterations = max(10, plantedTime*loaders*requests/int(calls))
		}
		by[index(ever)] = append(by[index(ever)], s)
	}
	seed := fnv.New64a()
	seed.Write([]byte(what.Repo))
	r := rand.New(rand.NewPCG(1, seed.Sum64()))
	var all []slowdown
	for i := range by {
		r.Shuffle(len(by[i]), func(a, b int) { by[i][a], by[i][b] = by[i][b], by[i][a] })
	}
	for i := range max(len(by[0]), len(by[1])) {
		for _, list := range by {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
	}
	return all, nil
}

// symbols are the functions that a program has, with plain names.
func symbols(program string) (map[string]bool, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", program, err)
	}
	defer f.Close()
	list, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("read the symbols of %s: %w", program, err)
	}
	all := map[string]bool{}
	for _, s := range list {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC {
			continue
		}
		cut := strings.LastIndex(s.Name, "/") + 1
		pkg, _, ok := strings.Cut(s.Name[cut:], ".")
		if ok {
			all[s.Name[:cut]+pkg+"."+plain(s.Name[cut:])] = true
		}
	}
	return all, nil
}

// loaded starts a program with counters, loads it, and says how often each counter was passed before that and in all.
func loaded(ctx context.Context, program, dir string, s corpus.Subject, n int) (before, after []uint64, err error) {
	addr, err := proc.FreeAddress()
	if err != nil {
		return nil, nil, err
	}
	var args []string
	for _, a := range s.Args {
		args = append(args, strings.ReplaceAll(a, "{port}", addr[strings.LastIndex(addr, ":")+1:]))
	}
	file := program + ".counts"
	p, err := proc.Start(ctx, -1, proc.Command{Program: program, Args: args, Dir: dir,
		Env: []string{counters.Variable + "=" + file}})
	if err != nil {
		return nil, nil, err
	}
	defer p.Stop()
	if err := p.Await(ctx, addr); err != nil {
		return nil, nil, err
	}
	// What the start still does belongs to the start.
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	if before, err = counters.Read(file, n); err != nil {
		return nil, nil, err
	}
	if err := load(ctx, "http://"+addr+s.Path); err != nil {
		return nil, nil, err
	}
	after, err = counters.Read(file, n)
	return before, after, err
}

// load sends the requests.
func load(ctx context.Context, url string) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: loaders}, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	faults := make([]error, loaders)
	var all sync.WaitGroup
	for i := range loaders {
		all.Go(func() { // ends with its requests
			for range requests {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
				if err == nil {
					var answer *http.Response
					if answer, err = client.Do(r); err == nil {
						_, err = io.Copy(io.Discard, answer.Body)
						answer.Body.Close()
					}
				}
				if err != nil {
					faults[i] = fmt.Errorf("load the service: %w", err)
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}
