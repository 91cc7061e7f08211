package continuous

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// series is a SeriesResponse of n series, each with the labels that one makes.
func seriesOf(n int, one func(i int) string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"labelsSet":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"labels":[` + one(i) + `]}`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func labelled(name, value string) string { return fmt.Sprintf(`{"name":%q,"value":%q}`, name, value) }

// What a store can answer is read within 64 MB, or refused with the bound and the next step.
func TestAHostileStore(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	_ = z.Close()
	kind := labelled(typeLabel, "process_cpu:cpu:nanoseconds:cpu:nanoseconds")
	for name, c := range map[string]struct {
		series       []byte
		profile      []byte // nil: an empty one
		packed       bool
		want, hinted string
	}{
		"150,000 series": {seriesOf(150_000,
			func(i int) string { return kind + "," + labelled("pod", fmt.Sprint(i)) }), nil, false, "more than 16 MiB",
			"--query"},
		"many series": {seriesOf(20_000, func(i int) string {
			return kind + "," + labelled("pod", fmt.Sprint(i))
		}), nil, false, "has no profile of ", "--from"},
		"each its own label": {seriesOf(20_000, func(i int) string {
			return kind + "," + labelled(fmt.Sprint("l", i), "x")
		}), nil, false, "has no profile of ", "--from"},
		"one with many labels": {seriesOf(1, func(int) string {
			return kind + strings.Repeat(","+labelled("a", "b"), 150_000)
		}), nil, false, "has no profile of ", "--from"},
		"empty sets": {seriesOf(1_000_000, func(int) string { return "{}" }), nil, false,
			"more than 600,000 values", "--query"},
		"types": {seriesOf(5_000, func(i int) string { return labelled(typeLabel, fmt.Sprint("t", i)) }),
			nil, false, "more than 100 names", "--kind"},
		"deep":          {[]byte(strings.Repeat("[", 1<<20)), nil, false, "more than 20 levels", "--query"},
		"long":          {bytes.Repeat([]byte(" "), 17<<20), nil, false, "more than 16 MiB", "--query"},
		"a packed list": {bomb.Bytes(), nil, true, "more than ", "--query"},
		"a packed profile": {seriesOf(1, func(int) string { return kind }), bomb.Bytes(), false, "more than ",
			"--query"},
	} {
		s, err := NewPyroscope(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer, packed := c.series, c.packed
			if !strings.HasSuffix(r.URL.Path, "/Series") {
				answer, packed = c.profile, true
			}
			if packed && answer != nil {
				w.Header().Set("Content-Encoding", "gzip")
			}
			_, _ = w.Write(answer)
		})), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = Pull(t.Context(), s, lastHour)
		runtime.ReadMemStats(&after)
		if err == nil || fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(fail.HintOf(err), c.hinted) {
			t.Errorf("%s: %v (%s)", name, err, fail.HintOf(err))
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 128<<20 { // garbage and the server's part included
			t.Errorf("%s: %d MB were allocated", name, used>>20)
		}
	}
}

// Ctrl-C ends a pull between the answers, too.
func TestPullIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var once sync.Once
	asked := 0
	s, err := NewPyroscope(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/Series") {
			_, _ = w.Write(seriesOf(90, func(i int) string { return labelled(typeLabel, fmt.Sprint("t", i)) }))
			return
		}
		asked++
		once.Do(stop)
	})), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Pull(ctx, s, lastHour); fail.KindOf(err) != fail.Interrupted || asked > 2 {
		t.Errorf("after %d profiles: %v", asked, err)
	}
}

// No redirect is followed, neither to another host nor on the same one: the credentials are for the address that the
// user named.
func TestNoRedirectIsFollowed(t *testing.T) {
	var reached []string
	other := serve(t, http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		reached = append(reached, r.URL.Path)
	}))
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, connect := range []func(string, Options) (Store, error){NewPyroscope, NewParca} {
			s, err := connect(serve(t, http.RedirectHandler(other+"/elsewhere", code)),
				Options{Token: "t", Headers: map[string]string{"X-Secret": "s"}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Pull(t.Context(), s, lastHour); err == nil || len(reached) > 0 {
				t.Errorf("%d: %v, reached %v", code, err, reached)
			}
		}
	}
}
