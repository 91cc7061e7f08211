package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// figures are what a service counts of its database.
type figures struct {
	Statements   map[string]times `json:"statements_ns"`
	Rows         map[string]int   `json:"rows"`
	Transactions int              `json:"transactions"`
	Idle         time.Duration    `json:"idle_ns"`
	Waits        int              `json:"waits"`
	Waited       time.Duration    `json:"waited_ns"`
	took         time.Duration    // of all requests together
}

// times are how long the executions of a statement took.
type times []time.Duration

// middle is the median, which a busy machine hardly moves.
func (t times) middle() time.Duration {
	if len(t) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(t))[len(t)/2]
}

// slowest are the times of the statement whose middle is the longest.
func (f figures) slowest() (all times) {
	for _, one := range f.Statements {
		if one.middle() > all.middle() {
			all = one
		}
	}
	return all
}

// inStatements is how long all statements took together, as far as their middles say.
func (f figures) inStatements() (all time.Duration) {
	for _, one := range f.Statements {
		all += one.middle() * time.Duration(len(one))
	}
	return all
}

// requests are those by which a service is held to its word.
const requests = 60

// Each service has its defect, and not when it is fixed; a decoy has none.
func TestServicesDoWhatTheySay(t *testing.T) {
	all, err := openCorpus("1")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "svc")
	if err := proc.BuildGo(t.Context(), corpusDir, path, "./svc"); err != nil {
		t.Fatal(err)
	}
	t.Run(string(sqlite), func(t *testing.T) {
		hold(t, all, path, func(t *testing.T, _ string) string { return filepath.Join(t.TempDir(), "shop.db") })
	})
	t.Run(string(postgres), func(t *testing.T) {
		if err := noPostgres(); err != nil {
			t.Skip(err)
		}
		db, err := startServer(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Terminate() }() // what it says at its end does not matter
		hold(t, all, path, func(t *testing.T, name string) string {
			url, err := db.create(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			return url
		})
	})
}

// hold holds all services to their word, each with a new database.
func hold(t *testing.T, all []*service, path string, create func(t *testing.T, name string) string) {
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			with := counted(t, path, s, create(t, s.Name), false)
			without := counted(t, path, s, create(t, s.Name+"_fixed"), true)
			for _, fault := range s.faults(with, without) {
				t.Error(fault)
			}
		})
	}
}

// faults are what the figures of a service, with its defect and fixed, say against its kind.
func (s *service) faults(with, without figures) (all []string) {
	want := func(ok bool, format string, args ...any) {
		if !ok {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	for text, f := range without.Statements {
		want(len(f) <= requests+1 || s.Name == "intake", "fixed, it executes %s %d times for %d requests", text, len(f), requests)
	}
	var defect times
	for _, text := range s.statements() {
		f, ok := find(with.Statements, text)
		if ok {
			defect = f
		}
		want(ok, "it never executes %s", text)
	}
	switch s.kind {
	case manyQueries:
		want(len(defect) >= 10*requests, "the statement runs %d times for %d requests, want 10 of each", len(defect), requests)
	case slowStatement:
		again, ok := find(without.Statements, s.statements()[0])
		if !ok { // another one does its work
			again = without.slowest()
		}
		want(defect.middle() > 3*again.middle(), "the statement takes %v, fixed %v, want it to be far faster then", defect.middle(), again.middle())
	case smallPool:
		want(with.Waits > requests/2 && with.Waited > requests*time.Millisecond && without.Waited < with.Waited/5, "%d requests wait for the pool, %v, fixed %v", with.Waits, with.Waited, without.Waited)
	case longTransaction:
		idle, fixed := with.Idle/time.Duration(with.Transactions), without.Idle/time.Duration(without.Transactions)
		want(idle > 2*time.Millisecond && fixed < idle/3, "transactions are idle for %v, fixed %v, want 2 ms or more, and far less", idle, fixed)
	case decoy:
		all = append(all, s.decoyFaults(without)...)
	}
	return all
}

// decoyFaults are what the figures say against what a decoy is.
func (s *service) decoyFaults(f figures) []string {
	took := f.inStatements()
	ok := map[string]bool{
		"dashboard": len(f.Statements) >= 8,
		"report":    took < f.took/4,
		"kiosk":     f.Waits == 0,
		"meters":    slices.Max(slices.Collect(maps.Values(f.Rows))) >= 500*requests,
		"invoices":  took < f.took/4,
		"fares":     took < f.took/4 && f.took >= 5*time.Millisecond*requests,
		"vouchers":  f.Transactions == requests && len(f.Statements) == 6 && f.slowest().middle() < f.took/requests/2,
		"intake":    f.Transactions == requests && len(f.Statements["insert into readings values ($1, $2, $3)"]) == 30*requests,
	}[s.Name]
	if !ok {
		return []string{fmt.Sprintf("it is not what it says: %s: %+v", s.truths[0].Statement, f)}
	}
	return nil
}

// find is the figure of a statement, whose text may have any white space.
func find(all map[string]times, text string) (times, bool) {
	for of, f := range all {
		if normal(of) == normal(text) {
			return f, true
		}
	}
	return nil, false
}

// counted starts a service, sends the requests, and says what its database did for them.
func counted(t *testing.T, path string, s *service, at string, fixed bool) (f figures) {
	t.Helper()
	p, err := proc.Serve(t.Context(), -1, proc.Command{Program: path, Args: []string{"-service", s.Name, "-db", at, "-fixed=" + strconv.FormatBool(fixed), "-figures"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	began := figuresOf(t, p.Addr)
	load := s.load
	if s.kind == slowStatement || s.kind == longTransaction || s.Name == "vouchers" {
		load.Connections = 1 // else a statement waits for a processor, or a transaction to begin, and one is idle for longer on a busy machine
	}
	took, err := ask(t.Context(), p.Addr, load)
	if err != nil {
		t.Fatal(err)
	}
	f = figuresOf(t, p.Addr)
	f.took = took
	for text := range began.Statements { // those that made the tables
		delete(f.Statements, text)
	}
	return f
}

func figuresOf(t *testing.T, address string) (f figures) {
	t.Helper()
	text, err := get(t.Context(), "http://"+address+"/figures")
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var drawn = regexp.MustCompile(`\{rand:(\d+)\}`)

// ask sends requests from as many clients as the load has, and says how long all of them took together.
func ask(ctx context.Context, address string, l load) (took time.Duration, failed error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var clients sync.WaitGroup
	next := make(chan string)
	for range l.Connections {
		clients.Go(func() { // until there are no more requests
			for url := range next {
				began := time.Now()
				if _, err := get(ctx, url); err != nil {
					cancel(err)
				}
				mu.Lock()
				took += time.Since(began)
				mu.Unlock()
			}
		})
	}
	for range requests {
		next <- "http://" + address + drawn.ReplaceAllStringFunc(l.Path, func(word string) string {
			n, _ := strconv.Atoi(drawn.FindStringSubmatch(word)[1]) // it is digits
			return strconv.Itoa(rand.IntN(n))
		})
	}
	close(next)
	clients.Wait()
	return took, context.Cause(ctx)
}

func get(ctx context.Context, url string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return text, err
}
