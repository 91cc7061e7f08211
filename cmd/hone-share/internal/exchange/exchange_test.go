package exchange

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore"
	"github.com/gohone/hone/cmd/hone-share/internal/objectstore/storetest"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shared is a ledger with a comparison of two runs, a run by itself and one that is not complete, and a place in a real
// store.
type shared struct {
	l          *ledger.Ledger
	server     *storetest.Server
	s          *objectstore.Store
	comparison ledger.Comparison
	alone      string
	invalid    string
}

func share(t *testing.T) *shared {
	t.Helper()
	storetest.Credentials(t)
	f := &shared{server: storetest.Start(t, "runs")}
	f.s = f.place(t, "s3://runs/team")
	var err error
	f.l, err = ledger.Open(filepath.Join(t.TempDir(), "ledger"))
	must(t, err)
	t.Cleanup(func() { must(t, f.l.Close()) })
	c, err := f.l.BeginComparison(ledger.Comparison{})
	must(t, err)
	for _, variant := range []string{"A", "B"} {
		addRun(t, f.l, ledger.Run{Comparison: c.ID(), Variant: variant}, ledger.Complete)
	}
	must(t, c.Finish(ledger.Comparison{Status: ledger.Complete, Word: "faster",
		Doc: json.RawMessage(`{"schema":"c"}`)}))
	f.comparison, err = f.l.Comparison(c.ID())
	must(t, err)
	f.alone = addRun(t, f.l, ledger.Run{Label: "alone"}, ledger.Complete)
	f.invalid = addRun(t, f.l, ledger.Run{Label: "invalid"}, ledger.Invalid)
	return f
}

func addRun(t *testing.T, l *ledger.Ledger, run ledger.Run, status ledger.Status) (id string) {
	t.Helper()
	d, err := l.BeginRun(run)
	must(t, err)
	_, err = d.AddArtefact("output", "stdout.txt", strings.NewReader("output of "+d.ID()))
	must(t, err)
	must(t, d.Finish(status, "", json.RawMessage(`{"schema":"r"}`)))
	return d.ID()
}

func (f *shared) place(t *testing.T, text string) *objectstore.Store {
	t.Helper()
	at, err := objectstore.ParseLocation(text)
	must(t, err)
	s, err := objectstore.Open(at, objectstore.Options{Endpoint: f.server.URL})
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

// file is where the server keeps an object.
func (f *shared) file(name string) string {
	return filepath.Join(f.server.Dir, "runs", "team", name)
}

// push returns the outcomes in a line.
func (f *shared) push(t *testing.T, replace bool, wanted ...ledger.Ref) (string, error) {
	t.Helper()
	var b strings.Builder
	err := Push(t.Context(), f.l, f.s, PushOptions{Wanted: wanted, Replace: replace,
		Archive: archive.Options{Hone: "v1", Host: "lab"},
		Done:    func(i Item) { fmt.Fprintf(&b, "%s %v; ", i.Outcome, i.Ref()) }})
	return b.String(), err
}

func (f *shared) pull(t *testing.T, dir string, names ...string) (string, error) {
	t.Helper()
	var b strings.Builder
	err := Pull(t.Context(), dir, f.s, PullOptions{Names: names,
		Done: func(i Item) { fmt.Fprintf(&b, "%s %v; ", i.Outcome, i.Ref()) }})
	return b.String(), err
}

// archiveOf is all that a ledger in dir has of these runs.
func archiveOf(t *testing.T, l *ledger.Ledger, refs ...ledger.Ref) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := archive.Write(&b, l, refs, archive.Options{Hone: "v1", Host: "lab"})
	must(t, err)
	return b.Bytes()
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func run(id string) ledger.Ref { return ledger.Ref{Kind: ledger.KindRun, ID: id} }

// What is pushed and pulled is the same to the byte; each is done once.
func TestRoundTrip(t *testing.T) {
	f := share(t)
	c := ledger.Ref{Kind: ledger.KindComparison, ID: f.comparison.ID}
	all := fmt.Sprintf("pushed %v; pushed %v; ", c, run(f.alone))
	if got, err := f.push(t, false); err != nil || got != all {
		t.Fatalf("pushed %q, %v; want %q", got, err, all)
	}
	there := strings.ReplaceAll(all, "pushed", "already there")
	if got, err := f.push(t, false); err != nil || got != there {
		t.Errorf("pushed again %q, %v", got, err)
	}
	if got, err := f.push(t, false, run(f.comparison.Runs[1]), run(f.alone), c); err != nil || got != there {
		t.Errorf("pushed by names %q, %v", got, err)
	}
	if got, err := f.push(t, false, run(f.invalid)); err != nil || got != fmt.Sprintf("pushed %v; ", run(f.invalid)) {
		t.Errorf("pushed by name %q, %v", got, err)
	}
	dir := filepath.Join(t.TempDir(), "other")
	if got, err := f.pull(t, dir, f.comparison.Runs[0][:6]); err != nil || got != fmt.Sprintf("pulled %v; ", c) {
		t.Errorf("pulled %q, %v", got, err)
	}
	if got, err := f.pull(t, dir); err != nil || !strings.HasPrefix(got,
		fmt.Sprintf("already there %v; pulled run ", c)) || strings.Count(got, "pulled") != 2 {
		t.Errorf("pulled %q, %v", got, err)
	}
	other, err := ledger.OpenReader(dir)
	must(t, err)
	defer other.Close()
	refs := []ledger.Ref{c, run(f.alone), run(f.invalid)}
	for _, ref := range refs {
		if !bytes.Equal(archiveOf(t, other, ref), archiveOf(t, f.l, ref)) {
			t.Errorf("%v differs from what was pushed", ref)
		}
	}
}

// A newer hone packs the same run into other bytes: it is there. Another run under the name is not.
func TestSameContentIsThere(t *testing.T) {
	f := share(t)
	must(t, Push(t.Context(), f.l, f.s, PushOptions{Wanted: []ledger.Ref{run(f.alone)},
		Archive: archive.Options{Hone: "v2", Host: "lab"}, Done: func(Item) {}}))
	if got, err := f.push(t, false, run(f.alone)); err != nil || !strings.HasPrefix(got, "already there") {
		t.Errorf("pushed %q, %v", got, err)
	}
	err := Push(t.Context(), f.l, f.s, PushOptions{Wanted: []ledger.Ref{run(f.alone)},
		Archive: archive.Options{Hone: "v1", Host: "another"}, Done: func(Item) {}})
	if fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), "other content") ||
		!strings.Contains(fail.HintOf(err), "--replace") {
		t.Errorf("error %v", err)
	}
}

// An object whose bytes changed is refused, the others are pulled, and --replace repairs it.
func TestDamagedObjectIsRefused(t *testing.T) {
	f := share(t)
	_, err := f.push(t, false)
	must(t, err)
	name := nameOf(f.comparison.Started, ledger.Ref{Kind: ledger.KindComparison, ID: f.comparison.ID},
		f.comparison.Runs)
	data, err := os.ReadFile(f.file(name))
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(f.file(name), data, 0o600))
	dir := filepath.Join(t.TempDir(), "other")
	got, err := f.pull(t, dir)
	if fail.KindOf(err) != fail.BadInput || !errors.Is(err, objectstore.ErrDamaged) || fail.HintOf(err) == "" {
		t.Errorf("error %v", err)
	}
	if want := fmt.Sprintf("refused comparison %s; pulled %v; ", f.comparison.ID, run(f.alone)); got != want {
		t.Errorf("pulled %q, want %q", got, want)
	}
	_, err = f.push(t, true, run(f.comparison.Runs[0]))
	must(t, err)
	if got, err := f.pull(t, dir); err != nil || !strings.HasPrefix(got, "pulled comparison") {
		t.Errorf("pulled %q, %v", got, err)
	}
}

// Objects that are sound and say something else than their name, and names that hone does not give.
func TestHostileObjects(t *testing.T) {
	f := share(t)
	_, err := f.push(t, false)
	must(t, err)
	put := func(name string, data []byte) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(file, data, 0o600))
		in, err := os.Open(file)
		must(t, err)
		defer in.Close()
		must(t, f.s.Put(t.Context(), objectstore.Object{Name: name, Size: int64(len(data)), SHA256: sumOf(data),
			Content: sumOf(data)}, in))
	}
	const moment = "20261123T213616Z"
	put(moment+"-run-00000001.tar.gz", archiveOf(t, f.l, run(f.alone)))              // another run
	put(moment+"-run-00000002.tar.gz", archiveOf(t, f.l, run(f.comparison.Runs[0]))) // a comparison
	put(moment+"-run-00000003.tar.gz", []byte("no archive"))                         //
	put(moment+"-comparison-"+f.alone+".tar.gz", archiveOf(t, f.l, run(f.alone)))    // of another kind
	put(moment+"-comparison-"+f.comparison.ID+"-00000004.tar.gz", archiveOf(t, f.l, run(f.comparison.Runs[0])))
	for _, foreign := range []string{"README", "run-00000005.tar.gz", moment + "-run-00000005.tar.gz.part",
		moment + "-run-0000000G.tar.gz",
		"run-..tar.gz", moment + "-run-00000006-00000007.tar.gz", "run-\x1b[31m.tar.gz"} {
		put(foreign, []byte("x"))
	}
	dir := filepath.Join(t.TempDir(), "other")
	got, err := f.pull(t, dir)
	if fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), "5 objects were refused") {
		t.Errorf("error %v", err)
	}
	if strings.Count(got, "refused ") != 5 || strings.Count(got, "pulled ") != 2 || strings.Count(got, ";") != 7 {
		t.Errorf("pulled %s", got)
	}
	other, err := ledger.OpenReader(dir)
	must(t, err)
	defer other.Close()
	runs, comparisons, err := other.Count()
	if err != nil || runs != 3 || comparisons != 1 {
		t.Errorf("%d runs, %d comparisons, %v", runs, comparisons, err)
	}
}

// An interrupted pull leaves whole runs only, nothing in the temporary directory, and the next goes on.
func TestInterruptedPull(t *testing.T) {
	f := share(t)
	_, err := f.push(t, false)
	must(t, err)
	temporary, dir := t.TempDir(), filepath.Join(t.TempDir(), "other")
	t.Setenv("TMPDIR", temporary)
	ctx, end := context.WithCancel(t.Context())
	err = Pull(ctx, dir, f.s, PullOptions{Done: func(Item) { end() }})
	if fail.KindOf(err) != fail.Interrupted {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if got, err := f.pull(t, dir); err != nil || !strings.HasPrefix(got, "already there comparison") ||
		!strings.Contains(got, "pulled run") {
		t.Errorf("pulled %q, %v", got, err)
	}
}

// A connection that breaks in the middle of an object, and a Ctrl-C there, leave nothing half, and the next pull has
// it.
func TestCutOffInTheMiddle(t *testing.T) {
	f := share(t)
	_, err := f.push(t, false, run(f.alone))
	must(t, err)
	temporary, dir := t.TempDir(), filepath.Join(t.TempDir(), "other")
	t.Setenv("TMPDIR", temporary)
	to, err := url.Parse(f.server.URL)
	must(t, err)
	ctx, end := context.WithCancel(t.Context())
	for words, middle := range map[string]func(){
		"the connection broke": func() { panic(http.ErrAbortHandler) },
		"":                     end, // and then the body goes on never
	} {
		proxy := httputil.NewSingleHostReverseProxy(to)
		proxy.ErrorLog = log.New(io.Discard, "", 0)
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, ".tar.gz") {
				proxy.ServeHTTP(w, r) // it keeps Host, which is signed
				return
			}
			answer := httptest.NewRecorder()
			proxy.ServeHTTP(answer, r)
			maps.Copy(w.Header(), answer.Header())
			w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
			http.NewResponseController(w).Flush()
			middle()
			<-r.Context().Done()
		}))
		at := f.s.Location
		s, err := objectstore.Open(at, objectstore.Options{Endpoint: front.URL})
		must(t, err)
		kind := fail.Environment
		if words == "" {
			kind = fail.Interrupted
		}
		use := t.Context()
		if words == "" {
			use = ctx
		}
		err = Pull(use, dir, s, PullOptions{Done: func(i Item) { t.Errorf("done: %+v", i) }})
		if fail.KindOf(err) != kind || !strings.Contains(fail.HintOf(err), words) {
			t.Errorf("error %v, hint %q", err, fail.HintOf(err))
		}
		s.Close()
		front.Close()
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a ledger was made: %v", err)
	}
	if got, err := f.pull(t, dir); err != nil || !strings.HasPrefix(got, "pulled run") {
		t.Errorf("pulled %q, %v", got, err)
	}
}

// What cannot be found is said, and makes no ledger.
func TestUnknownNames(t *testing.T) {
	f := share(t)
	_, err := f.push(t, false)
	must(t, err)
	dir := filepath.Join(t.TempDir(), "other")
	for name, words := range map[string]string{"ffff0000": "no such run", "abc": "hexadecimal",
		"nonsense": "hexadecimal", "../x": "hexadecimal"} {
		_, err := f.pull(t, dir, name)
		if fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), words) || fail.HintOf(err) == "" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	f.s = f.place(t, "s3://missing")
	if _, err := f.pull(t, dir); fail.KindOf(err) != fail.BadInput {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a ledger was made: %v", err)
	}
}

func TestNames(t *testing.T) {
	many := make([]string, 100)
	for n := range many {
		many[n] = fmt.Sprintf("%08x", n)
	}
	for _, c := range []struct {
		ref  ledger.Ref
		runs []string
	}{{run("0123abcd"), nil}, {ledger.Ref{Kind: ledger.KindComparison, ID: "0123abcd"}, nil},
		{ledger.Ref{Kind: ledger.KindComparison, ID: "0123abcd"}, many}} {
		name := nameOf(time.Now(), c.ref, c.runs)
		i, ok := itemOf(name)
		if !ok || i.Ref() != c.ref || len(i.Runs) != min(len(c.runs), maxNamed) || len(name) > 1024-400 {
			t.Errorf("%s is %+v, %v", name, i, ok)
		}
	}
}
