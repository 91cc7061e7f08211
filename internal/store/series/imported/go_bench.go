package imported

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/text/fail"
)

// goBench is the Go benchmark format: output of go test -bench, and files of golang/perf. Lines "commit: HASH",
// "commit-time: 2026-01-02T15:04:05Z" and "pkg: PATH" hold for the results after them, until they are written anew; a
// file without the first is of the commit that its name has. Lines goos, goarch and cpu, and the machine that some
// tools write, are where the values come from.
func (f *file) goBench(text []byte) error {
	f.format = GoBench
	fallback := f.named()
	r := benchfmt.NewReader(bytes.NewReader(text), f.name)
	for r.Scan() {
		switch record := r.Result().(type) {
		case *benchfmt.SyntaxError:
			f.fault(record.Line, "%s", record.Msg)
		case *benchfmt.Result:
			if err := f.result(record, fallback); err != nil {
				return err
			}
		}
	}
	if err := r.Err(); err != nil { // has the name and the line
		return fail.New(fail.BadInput, "%v", err)
	}
	return nil
}

// result adds the values of one line.
func (f *file) result(r *benchfmt.Result, fallback string) error {
	_, line := r.Pos()
	c := series.Commit{Hash: r.GetConfig("commit")}
	if c.Hash == "" {
		c.Hash = fallback
	}
	if c.Hash == "" {
		f.fault(line, "no commit: a line \"commit: HASH\" before it says so, or a hash in the name of the file")
		return f.meterErr()
	}
	c.Time = timeOf(r.GetConfig("commit-time"))
	c.Author, c.Subject = r.GetConfig("commit-author"), r.GetConfig("commit-subject")
	p := f.point(line, c, time.Time{}, machineOf(r))
	if p == nil {
		return f.meterErr()
	}
	name := nameOf(r.GetConfig("pkg"), benchmarks.WithoutProcs(string(r.Name)))
	for _, v := range r.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" { // benchfmt turns ns into sec
			value, unit = v.OrigValue, v.OrigUnit
		}
		if err := f.add(p, line, name, unit, value); err != nil {
			return err
		}
	}
	return nil
}

// meterErr counts a line that was passed over.
func (f *file) meterErr() error {
	if err := f.meter.Spend(1); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return nil
}

// timeOf reads a time in the form of RFC 3339; the zero time for all else.
func timeOf(text string) time.Time {
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// machineOf is where a result comes from.
func machineOf(r *benchfmt.Result) string {
	var parts []string
	for _, key := range []string{"machine", "cpu"} {
		if v := strings.TrimSpace(r.GetConfig(key)); v != "" {
			parts = append(parts, v)
		}
	}
	if os, arch := r.GetConfig("goos"), r.GetConfig("goarch"); os != "" || arch != "" {
		parts = append(parts, strings.Trim(os+"/"+arch, "/"))
	}
	return strings.Join(parts, ", ")
}
