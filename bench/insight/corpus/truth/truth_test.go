package truth

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/trace"
	"sync"
	"testing"
	"time"
)

func TestSummary(t *testing.T) {
	var all []*Request
	for i := range 2000 {
		r := &Request{total: time.Duration(i)}
		r.add("a", time.Duration(i/2))
		if i >= 1990 {
			r.add("a", 1)
			r.add("b", 100)
		}
		all = append(all, r)
	}
	got := summary(all)
	if got.Requests != 2000 || got.Slow.Requests != 20 || got.Typical.Requests != 201 {
		t.Fatalf("counts: %+v", got)
	}
	if got.Slow.Total != 1989 || got.Slow.Parts["b"] != 50 || got.Slow.Parts["a"] != 995 {
		t.Errorf("slow: %+v", got.Slow)
	}
	if got.Typical.Total != 1000 || got.Typical.Parts["b"] != 0 {
		t.Errorf("typical: %+v", got.Typical)
	}
	for n := range 30 {
		if few := summary(all[:n]); few.Slow.Requests != min(10, n) {
			t.Errorf("%d requests: %+v", n, few)
		}
	}
}

func TestNothingWithoutTrace(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("the test itself is traced")
	}
	r := Begin()
	r.Part("a")()
	r.Since("b", time.Now())
	r.End()
	if r != nil || len(kept) != 0 {
		t.Error("recorded without a trace")
	}
}

func TestSave(t *testing.T) {
	if err := trace.Start(io.Discard); err != nil {
		t.Skip(err)
	}
	defer trace.Stop()
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			r := Begin()
			var parts sync.WaitGroup
			for range 4 {
				parts.Go(func() {
					defer r.Part("nap")()
					time.Sleep(time.Millisecond)
				})
			}
			parts.Wait()
			r.End()
		})
	}
	all.Wait()
	file := filepath.Join(t.TempDir(), "truth")
	t.Setenv("TRUTH", file)
	if err := Save(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got Report
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Requests != 100 || got.Slow.Parts["nap"] < 4e6 || got.Slow.Total < 1e6 {
		t.Errorf("%s", text)
	}
}

func BenchmarkPart(b *testing.B) {
	if err := trace.Start(io.Discard); err != nil {
		b.Skip(err)
	}
	defer trace.Stop()
	r := Begin()
	for b.Loop() {
		r.Part("a")()
		r.parts = r.parts[:0]
	}
}
