package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/load"
)

// engine carries out the job of one run with package loadtest. It implements cluster.Engine; its methods are called
// from the agent's loop, and what comes of them is posted to that loop.
type engine struct {
	agent  *Agent
	worker func() *cluster.Worker // nil before it is known
	run    string
	file   string // the recording, once it is complete; agents of one machine may share a directory

	soft, hard context.Context
	stop, kill context.CancelFunc
	start      chan turn
	done       chan struct{} // closed when the job has ended

	session atomic.Pointer[load.Session] // of a run by turns; nil before it is there

	recording *os.File // nil before it is there
	size      int64
}

func (a *Agent) newEngine(run string) *engine {
	e := &engine{agent: a, run: run, file: filepath.Join(a.Dir, run+"-"+a.id+".jsonl"), start: make(chan turn, 1),
		done: make(chan struct{})}
	e.hard, e.kill = context.WithCancel(context.Background())
	e.soft, e.stop = context.WithCancel(e.hard)
	return e
}

// Prepare implements cluster.Engine.
func (e *engine) Prepare(raw json.RawMessage) {
	go func() {
		defer close(e.done)
		err := e.carryOut(raw)
		e.agent.post(func() { e.ended(err) })
	}()
}

// StartAt implements cluster.Engine.
func (e *engine) StartAt(at time.Duration, stretch json.RawMessage) { e.start <- turn{at, stretch} }

// Cut implements cluster.Engine.
func (e *engine) Cut() {
	if s := e.session.Load(); s != nil {
		s.EndSending()
	}
}

// Stop implements cluster.Engine.
func (e *engine) Stop() { e.stop() }

// Abandon implements cluster.Engine.
func (e *engine) Abandon() { e.kill() }

// Recording implements cluster.Engine.
func (e *engine) Recording() io.ReaderAt { return e.recording }

// carryOut does the job; nil if there is a recording.
func (e *engine) carryOut(raw json.RawMessage) error {
	j, err := readJob(raw)
	if err != nil {
		return err
	}
	j.Plan.Workers = workers()
	if j.ByTurns {
		return e.byTurns(j)
	}
	if err := e.agent.hello().Within(j.Plan, j.Schedule); err != nil {
		return err
	}
	t := &loadtest.Tester{Version: e.agent.Version, Progress: quiet{}, Begin: e.begin, Guard: guard(e.agent.Allow)}
	out, err := t.Run(e.soft, e.hard, loadtest.Task{Load: j.Load, Sending: j.Sending, File: e.file})
	if out == nil || fail.KindOf(err) == fail.Storage {
		return err
	}
	return e.hard.Err() // whether it is valid stands in the recording
}

// Capacity measures how many requests per second this machine can send, as an agent sends them.
func Capacity(ctx context.Context) (rateHz float64, err error) {
	t := &loadtest.Tester{Progress: quiet{}}
	c, err := t.Calibrate(ctx, "http", load.Plan{Connections: 50, Depth: 1, Workers: workers(), Timeout: 10 * time.Second},
		0)
	if err != nil {
		return 0, err
	}
	return c.CeilingHz, nil
}

// workers is how many event loops load: half of the CPUs, since the target may be on the same machine.
func workers() int { return max(1, runtime.NumCPU()/2) }

// begin waits for the common start, see loadtest.Tester.Begin.
func (e *engine) begin(ctx context.Context) error {
	e.agent.post(func() { e.worker().Prepared(nil, e.agent.Clock()) })
	var err error
	select {
	case t := <-e.start:
		err = e.await(ctx, t.at)
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return fail.New(fail.Interrupted, "stopped before the start")
	}
	return nil
}

// await waits for a moment of the agent's clock, and tells that the load begins.
func (e *engine) await(ctx context.Context, at time.Duration) error {
	wait := time.NewTimer(at - e.agent.Clock())
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	now := e.agent.Clock()
	e.agent.post(func() { e.worker().Started(now, e.agent.Clock()) })
	return nil
}

// grown looks how long the recording has become, and opens it when it is there.
func (e *engine) grown() {
	if e.recording == nil {
		f, err := os.Open(e.file + ".partial")
		if err != nil {
			if f, err = os.Open(e.file); err != nil {
				return
			}
		}
		e.recording = f
	}
	if info, err := e.recording.Stat(); err == nil && info.Size() > e.size {
		e.size = info.Size()
		e.worker().Wrote(e.size, e.agent.Clock())
	}
}

// ended tells what became of the job.
func (e *engine) ended(err error) {
	w := e.worker()
	if err != nil && w.State().Phase == cluster.Preparing {
		w.Prepared(err, e.agent.Clock())
		return
	}
	e.grown()
	length, sum := int64(0), ""
	if err == nil {
		length, sum, err = digest(e.file)
	}
	w.Finished(length, sum, err, e.agent.Clock())
}

// digest is the length of a file and its SHA-256.
func digest(path string) (int64, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", fail.New(fail.Storage, "read the recording: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return 0, "", fail.New(fail.Storage, "read the recording: %w", err)
	}
	return n, hex.EncodeToString(h.Sum(nil)), nil
}

// close ends what is left of the job and waits for it. A recording that the coordinator has is removed; the path of one
// that it does not have is returned.
func (e *engine) close(delivered bool) (kept string, err error) {
	e.kill()
	<-e.done
	if e.recording != nil {
		err = e.recording.Close()
	}
	if delivered {
		return "", errors.Join(err, os.Remove(e.file))
	}
	if _, statErr := os.Stat(e.file); statErr == nil {
		return e.file, err
	}
	if removed := os.Remove(e.file + ".partial"); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, fmt.Errorf("remove what was begun: %w", removed))
	}
	return "", err
}

// quiet is a progress.Sink that shows nothing: the coordinator does.
type quiet struct{}

func (quiet) Phase(string, time.Duration) {}
func (quiet) Tick(progress.Tick)          {}
func (quiet) Warn(string)                 {}
