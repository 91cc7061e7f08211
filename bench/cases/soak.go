package cases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

// Soak loads a server for long and watches hone's memory: it must be flat after the first minute, at full rate and at a
// fixed one.
var Soak = bed.Case{Name: "soak", Shows: "is the memory of hone load flat over 10 minutes", Takes: "20 minutes",
	Needs: "gcc", About: bed.AboutLoad, Run: measureSoak}

type soaking struct {
	*bed.Bed
	connections   int
	every, settle time.Duration
	most          int64 // kB
	server        string
}

func measureSoak(ctx context.Context, b *bed.Bed) error {
	s := soaking{Bed: b}
	var rates []int
	b.CPUs()
	b.DurationVar(&b.Slice, "d", 10*time.Minute, "length of a run")
	b.IntVar(&s.connections, "c", 100, "connections")
	b.DurationVar(&s.every, "every", 10*time.Second, "how often memory is read")
	b.DurationVar(&s.settle, "settle", time.Minute, "how long memory may grow")
	b.Int64Var(&s.most, "most", 0, "kB that memory may grow after -settle before it is a failure; 0: any")
	b.StringVar(&s.server, "server", side.Bare, "server: "+side.Bare+" or "+side.NetHTTP)
	b.Ints(&rates, "rates", "0,20000", 0, "requests per second of each run; 0 is a closed loop at full rate")
	b.Read()
	b.Want(s.connections > 0 && s.every > 0 && b.Slice >= s.settle+2*s.every,
		"want at least 1 connection, and a run longer than -settle and two times -every")
	if err := b.Start(ctx); err != nil {
		return err
	}
	for _, rate := range rates {
		if err := s.soak(ctx, rate); err != nil {
			return fmt.Errorf("%s: %w", words(rate), err)
		}
	}
	return nil
}

func words(rate int) string {
	if rate == 0 {
		return "closed loop, full rate"
	}
	return fmt.Sprintf("open loop, %d requests/s", rate)
}

// soak is one run.
func (c soaking) soak(ctx context.Context, rate int) error {
	server, err := side.StartServer(ctx, c.server, c.ServerCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	args := []string{
		"load", server.URL, "--no-ledger", "-c", strconv.Itoa(c.connections), "-d", c.Slice.String(), "--set",
		"workers=1", "--quiet", "--json",
	}
	if rate > 0 {
		args = append(args, "--rate", strconv.Itoa(rate))
	}
	child, err := proc.Start(ctx, c.ClientCPU, proc.Command{Program: c.Hone.Program, Args: args,
		Env: []string{"GODEBUG=gctrace=1"}})
	if err != nil {
		return err
	}
	t := c.Table(words(rate)+", "+c.server+" server", "after s", "RSS kB", "peak kB")
	s := watch(child, c.every, t)
	done, failed := child.Wait()
	h, err := honecli.ReadLoad(done.Stdout)
	if err != nil {
		return errors.Join(err, failed)
	}
	verdict, grown := s.verdict(c.settle, c.most)
	t.Say("%s", verdict)
	t.Say("%d answered, %.0f requests/s, %d failed, CPU %.2f us/request, %d collections of garbage", h.Account.Answered,
		h.AchievedHz, h.Account.Failed,
		float64(done.CPU.Microseconds())/float64(h.Account.Answered), collections(done.Stderr))
	if !h.Valid {
		t.Say("INVALID: %s", h.Complaint())
	}
	c.Claim("resident memory of `hone load` in "+c.Slice.String()+", "+words(rate), "%s", verdict)
	return cmp.Or(grown, tooFew(h.Account.Answered, uint64(float64(rate)*c.Slice.Seconds())))
}

// errNotFlat is that of a program whose memory grows under a steady load.
var errNotFlat = errors.New("memory is not flat")

// errTooFew is that of a load which did not happen: what memory did meanwhile proves nothing.
var errTooFew = errors.New("too few requests to speak of memory")

// tooFew is an error if less than nine tenths of the planned requests were answered.
func tooFew(answered, planned uint64) error {
	if 10*answered < 9*planned {
		return fmt.Errorf("%w: %d of %d were answered", errTooFew, answered, planned)
	}
	return nil
}
