package pprofweb

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// pprof has variables of its own; several sites do not meet in them.
func TestSitesAtOnce(t *testing.T) {
	atHome(t)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			cost := int64(100 * (i + 1))
			site, err := New("run", "", []Profile{{Capture: capture("work.go", cost, 100), Sources: texts{"work.go": workSource}}, {Capture: heap(t)}})
			if err != nil {
				t.Error(err)
				return
			}
			ln := listen(t)
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- site.Serve(ctx, ln, "", "") }() // ends with stop
			url := "http://" + ln.Addr().String()
			for range 5 {
				for _, page := range []string{"/cpu/top", "/cpu/flamegraph", "/cpu/source?h=main.main", "/heap/top", "/heap/source"} {
					if answer, _ := get(t, url+page); answer.StatusCode != 200 {
						t.Errorf("%s: %s", page, answer.Status)
					}
				}
			}
			if _, body := get(t, url+"/cpu/peek?f=work"); !strings.Contains(body, value(cost, "")+"ns   100%") {
				t.Errorf("site %d shows what is not its own: %s", i, body)
			}
			stop()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

// The end of the context is the end of the server: its port is closed.
func TestServeEnds(t *testing.T) {
	atHome(t)
	site, err := New("run", "", []Profile{{Capture: capture("work.go", 300, 100)}})
	if err != nil {
		t.Fatal(err)
	}
	ln := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- site.Serve(ctx, ln, "", "") }() // ends with stop
	get(t, "http://"+ln.Addr().String()+"/")
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		c.Close()
		t.Error("the port is still open")
	}

	ln = listen(t)
	ln.Close()
	if err := site.Serve(t.Context(), ln, "", ""); !errors.Is(err, net.ErrClosed) {
		t.Errorf("on a closed listener: %v", err)
	}
}

// Whatever prof.ReadCapture lets through, no page breaks on it.
func FuzzPages(f *testing.F) {
	for _, c := range []prof.Capture{capture("work.go", 300, 100), heap(f)} {
		var file bytes.Buffer
		if err := c.Profile.WriteUncompressed(&file); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes(), "main")
	}
	f.Fuzz(func(t *testing.T, file []byte, query string) {
		c, err := prof.ReadCapture(bytes.NewReader(file), prof.Limits{Uncompressed: 1 << 16, Memory: 1 << 24, Frames: 1 << 12})
		if err != nil {
			return
		}
		was := c
		for _, p := range []Profile{{Capture: c}, {Capture: c, Base: &was}} {
			site, err := New("run", "base", []Profile{p})
			if err != nil {
				continue
			}
			for _, page := range []string{"flamegraph", "top", "peek", "source", "download"} {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
				if err != nil {
					t.Fatal(err)
				}
				r.URL.Path, r.URL.RawQuery = p.Path()+page, "f="+query
				site.mux.ServeHTTP(&heldPage{header: http.Header{}}, r) // panics pass here
			}
		}
	})
}

// A profile with more frames than a page can hold is refused before pprof is asked.
func TestTooManyFramesForAPage(t *testing.T) {
	f := &profile.Function{ID: 1, Name: "main.f"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	stack := make([]*profile.Location, 4000)
	for i := range stack {
		stack[i] = l
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{},
		Function: []*profile.Function{f}, Location: []*profile.Location{l},
	}
	for range maxFrames/len(stack) + 1 {
		p.Sample = append(p.Sample, &profile.Sample{Location: stack, Value: []int64{1}})
	}
	if _, err := prepare(prof.Capture{Kind: "cpu", Profile: p}); !errors.Is(err, prof.ErrLimit) {
		t.Errorf("error %v, want ErrLimit", err)
	}
}
