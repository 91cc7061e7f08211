package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/probe"
	"github.com/gohone/hone/prof/heapdump"
)

// AskProbe asks a probe.
func AskProbe(p *probeclient.Probe, env []string) Ask {
	return func(ctx context.Context) (Classes, error) {
		m, err := p.Metrics(ctx, Metrics()...)
		if err != nil {
			return Classes{}, err
		}
		c := FromMetrics(m)
		c.SetEnvironment(env)
		c.SetLive(Sampled{})
		return c, nil
	}
}

// askPages asks the pages of net/http/pprof, or that of expvar where there are none.
func askPages(pages *pprofhttp.Client, env []string) Ask {
	return func(ctx context.Context) (c Classes, err error) {
		var live Sampled
		err = pages.HeapPage(ctx, func(r io.Reader) (err error) {
			c, live, err = FromHeapPage(r)
			return err
		})
		if errors.Is(err, pprofhttp.ErrNoPage) {
			var m runtime.MemStats
			if pages.MemStatsVar(ctx, &m) == nil && m.HeapSys > 0 {
				c, err = FromStats(&m), nil
			}
		}
		if err != nil {
			return Classes{}, err
		}
		c.SetEnvironment(env)
		c.SetLive(live)
		return c, nil
	}
}

// OfProcess makes the account of a process that may be anybody's. Its runtime is asked by the probe, if hone has
// started it; else what it counts is read out of its memory. pages, if not nil, are asked where neither is possible.
// Errors are those of Read.
func OfProcess(ctx context.Context, pid int, pages *pprofhttp.Client) (*Account, error) {
	env := Environment(pid)
	if p := probeOf(ctx, pid, env); p != nil {
		return Read(ctx, pid, AskProbe(p, env))
	}
	in, end, why := NewInside(pid)
	if why == nil {
		defer end()
		return Read(ctx, pid, in.Ask)
	}
	if pages != nil {
		return Read(ctx, pid, askPages(pages, env))
	}
	a, err := Read(ctx, pid, nil)
	if err == nil {
		a.miss("what the runtime counts: %v. Name the address of its net/http/pprof or expvar instead of its PID", why)
	}
	return a, err
}

// probeOf is the probe of a process that hone has started; nil without one.
func probeOf(ctx context.Context, pid int, env []string) *probeclient.Probe {
	for _, entry := range env {
		path, is := strings.CutPrefix(entry, probe.SocketVariable+"=")
		if !is || path == "" {
			continue
		}
		for _, at := range []string{path + "." + strconv.Itoa(pid), path} {
			if info, err := os.Lstat(at); err != nil || info.Mode().Type() != fs.ModeSocket {
				continue
			}
			p := probeclient.At(at)
			if there, err := p.PID(ctx); err == nil && there == pid {
				return p
			}
		}
	}
	return nil
}

// AtAddress makes the account of the process that listens at host:port; pages are those of net/http/pprof there. Of a
// process of another machine, or of another user, only what its runtime has mapped is known.
func AtAddress(ctx context.Context, hostPort string, pages *pprofhttp.Client) (*Account, error) {
	pid, why := listener(ctx, hostPort)
	if pid > 0 {
		if a, err := OfProcess(ctx, pid, pages); fail.KindOf(err) != fail.Environment {
			return a, err
		} else {
			why = err
		}
	}
	c, err := askPages(pages, nil)(ctx)
	if err != nil {
		return nil, err
	}
	return mappedOnly(c, fmt.Sprintf("what is resident, and all that is not Go's: %v", why)), nil
}

// listener is the process that listens at host:port of this machine; 0 where it is not known, and why.
func listener(ctx context.Context, hostPort string) (int, error) {
	if host, _, err := net.SplitHostPort(hostPort); err == nil && host == "" {
		hostPort = "127.0.0.1" + hostPort
	}
	t, err := listeners.ParseTarget(ctx, hostPort, false)
	if err != nil {
		return 0, err
	}
	all, err := listeners.Of("tcp", os.Getpid(), func() ([]int, error) { return processes.All(), nil })
	if err != nil {
		return 0, err
	}
	_, own, _ := t.Find(all, func(int) bool { return true })
	switch {
	case own == nil:
		return 0, fmt.Errorf("no process of this machine listens at %s", hostPort)
	case own.PID == 0:
		return 0, fmt.Errorf("the process at %s belongs to another user", hostPort)
	}
	return own.PID, nil
}

// mappedOnly is the account of what a runtime has mapped, where the mappings of its process are not known. It has no
// resident memory.
func mappedOnly(c Classes, why string) *Account {
	a := &Account{Schema: Schema}
	a.inHeap(c, c.Objects, c.Unused, c.Free, c.Stacks)
	a.add(Structures, c.structures(), c.Structures...)
	a.finish(c, nil)
	a.miss("%s", why)
	return a
}

// OfDump makes the account of a heap dump, which has what the runtime had mapped when it was written.
func OfDump(r io.ReaderAt, size int64) (*Account, error) {
	s, err := heapdump.NewScanner(r, size)
	if err != nil {
		return nil, err
	}
	var live uint64
	for {
		e, err := s.Next()
		if err != nil {
			return nil, err
		}
		if e.Tag == heapdump.EOF {
			break
		}
		if e.Tag == heapdump.Object {
			live += e.Size
		}
	}
	c := FromStats(&s.Memory)
	c.Live, c.GOGC = min(live, c.Objects), math.NaN()
	return mappedOnly(c, "what was resident, and all that is not Go's: a heap dump has what the runtime had mapped"), nil
}
