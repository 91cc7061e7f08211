package probeclient

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// dumpPatience is how long a heap dump may take: a second or two for each GB, on a fast disk.
const dumpPatience = 5 * time.Minute

// DumpHeap has the main process write a heap dump beside its socket, and gives it to read. paused is how long the
// program stood still for it. The file loses its name before it is read; what a program goes on to write after an error
// goes with the directory of the sockets.
func (p *Probes) DumpHeap(ctx context.Context, read func(dump io.ReaderAt, size int64) error) (paused time.Duration,
	err error) {
	const page, name = "/heapdump?name=", "heap.dump"
	path := filepath.Join(filepath.Dir(p.socket), name)
	defer func() { _ = os.Remove(path) }()
	body, err := p.Main().get(ctx, page+name, dumpPatience, maxAnswer)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Paused time.Duration `json:"paused_ns"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, fail.New(fail.Subject, "read %s of the probe: %w", page+name, err)
	}
	file, size, err := inputs.HeapDump.OpenRegular(path)
	if err != nil {
		return 0, fail.New(fail.Or(fail.Subject, err), "open heap dump: %w", err)
	}
	defer file.Close()
	_ = os.Remove(path)
	return answer.Paused, read(file, size)
}
