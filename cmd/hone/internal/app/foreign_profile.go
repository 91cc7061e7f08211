package app

import (
	"io"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

func readForeign(name string, r io.Reader) (prof.Capture, error) {
	c, err := prof.ReadCapture(r, ImportLimits)
	if err != nil {
		return c, ForeignFault(name, err)
	}
	return c, nil
}

// ForeignFault is the error of a file that is not a profile.
func ForeignFault(name string, err error) error {
	return fail.New(fail.BadInput, "%s: %w", name, err).
		WithHint("hone reads profiles in the formats of pprof and OTLP, and as text with debug=1: those of /debug/pprof, " +
			"of go test -cpuprofile, of go tool pprof -proto")
}

// ImportLimits are tighter than those of a program's own profiles: a file may come from
// any source, and a megabyte of gzip can hold a gigabyte.
var ImportLimits = prof.Limits{Compressed: 64 << 20, Uncompressed: 100 << 20}
