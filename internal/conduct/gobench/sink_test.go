package gobench

import (
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/resultfiles"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
)

func TestOutFilesAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "out.txt")
	s, err := newSink("", path, &sources.Side{Side: benchmarks.Side{Name: "A", Label: "v1"}})
	if err != nil {
		t.Fatal(err)
	}
	r := benchtext.Scan("BenchmarkX-2\t100\t12 ns/op\t5.5 frames/op\n")[0]
	r.Config = configOf(r, &pkg{path: "example.com/x"})
	for range 3 {
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	tables, err := resultfiles.Compare(t.Context(), resultfiles.Task{Paths: []string{path, "again=" + path}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tables.Warnings) > 0 || len(tables.Tables) != 2 || tables.Tables[0].Rows[0].Cells[1].N != 3 {
		t.Errorf("read back %+v", tables)
	}
}
