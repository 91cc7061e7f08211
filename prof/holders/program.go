package holders

import (
	"context"
	"io"
	"runtime/debug"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof/gotypes"
)

// heapGrowth is GOGC while a dump is read: its index is large, and has no pointers that the collector would have to
// follow.
const heapGrowth = 20

// ReadOf reads a dump of size bytes as Read does. program is the name of the executable that wrote it.
func ReadOf(ctx context.Context, dump io.ReaderAt, size int64, program string) (*Report, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(heapGrowth))
	executable, length, err := inputs.Executable.OpenRegular(program)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open program %w", err)
	}
	defer executable.Close()
	types, err := gotypes.Open(executable, length)
	if err != nil {
		return nil, fail.New(fail.KindOf(err), "%s: %w", program, err)
	}
	return Read(ctx, dump, size, types)
}

// Document is the report without what only Profile takes, which needs much memory.
func (r *Report) Document() *Report {
	short := *r
	short.paths = nil
	return &short
}
