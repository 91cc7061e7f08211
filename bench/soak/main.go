// Command soak loads a server for long and watches hone's memory: it must be flat after
// the first minute, at full rate and at a fixed one.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./soak
//
// It needs Linux (/proc) and, with the defaults, 20 minutes.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	connections          int
	length, every        time.Duration
	settle               time.Duration
	most                 int64 // kB
	rates                []int
	server               string
}

func main() { side.Main("soak", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("soak")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.connections, "c", 100, "connections")
	fs.DurationVar(&c.length, "d", 10*time.Minute, "length of a run")
	fs.DurationVar(&c.every, "every", 10*time.Second, "how often memory is read")
	fs.DurationVar(&c.settle, "settle", time.Minute, "how long memory may grow")
	fs.Int64Var(&c.most, "most", 0, "kB that memory may grow after -settle before it is a failure; 0: any")
	fs.StringVar(&c.server, "server", side.Bare, "server: "+side.Bare+" or "+side.NetHTTP)
	fs.Ints(&c.rates, "rates", "0,20000", 0, "requests per second of each run; 0 is a closed loop at full rate")
	fs.Read(args)
	fs.Want(c.connections > 0 && c.every > 0 && c.length >= c.settle+2*c.every,
		"want at least 1 connection, and a run longer than -settle and two times -every")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	side.Header(os.Stdout, nil, nil)
	fmt.Printf("plan      %s: %v over %d connections, memory every %v, %s server on CPU %d, hone on CPU %d\n",
		hone.Program, c.length, c.connections, c.every, c.server, c.serverCPU, c.clientCPU)
	for _, rate := range c.rates {
		if err := soak(ctx, c, hone, rate); err != nil {
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
func soak(ctx context.Context, c config, hone honecli.Hone, rate int) error {
	server, err := side.StartServer(ctx, c.server, c.serverCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	args := []string{
		"load", server.URL, "--no-ledger", "-c", strconv.Itoa(c.connections), "-d", c.length.String(), "--workers", "1", "--quiet", "--json",
	}
	if rate > 0 {
		args = append(args, "--rate", strconv.Itoa(rate))
	}
	fmt.Printf("\n%s\n%10s  %10s  %10s\n", words(rate), "after s", "RSS kB", "peak kB")
	child, err := proc.Start(ctx, c.clientCPU, proc.Command{Program: hone.Program, Args: args, Env: []string{"GODEBUG=gctrace=1"}})
	if err != nil {
		return err
	}
	s := watch(child, c.every)
	done, failed := child.Wait()
	h, err := honecli.ReadLoad(done.Stdout)
	if err != nil {
		return errors.Join(err, failed)
	}
	verdict, grown := s.verdict(c.settle, c.most)
	fmt.Println(verdict)
	fmt.Printf("%d answered, %.0f requests/s, %d failed, CPU %.2f us/request, %d collections of garbage\n",
		h.Account.Answered, h.AchievedHz, h.Account.Failed,
		float64(done.CPU.Microseconds())/float64(h.Account.Answered), collections(done.Stderr))
	if !h.Valid {
		fmt.Printf("INVALID: %s\n", h.Complaint())
	}
	return cmp.Or(grown, tooFew(h.Account.Answered, uint64(float64(rate)*c.length.Seconds())))
}

// errTooFew is that of a load which did not happen: what memory did meanwhile proves nothing.
var errTooFew = errors.New("too few requests to speak of memory")

// tooFew is an error if less than nine tenths of the planned requests were answered.
func tooFew(answered, planned uint64) error {
	if 10*answered < 9*planned {
		return fmt.Errorf("%w: %d of %d were answered", errTooFew, answered, planned)
	}
	return nil
}
