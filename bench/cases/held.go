package cases

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

// Held is the memory of a connection: the peak of hone's resident set with many connections less that with few, over
// the difference of their numbers. Every connection answers some requests of an open loop.
var Held = bed.Case{
	Name: "held", Shows: "memory of hone load for each of 10,000 connections", Takes: "2 minutes",
	Needs: "as many open files as connections (ulimit -n)", About: bed.AboutLoad, Run: measureHeld,
}

type held struct {
	*bed.Bed
	few, many, each int
	hone            side.Found
	*bed.Table
}

func measureHeld(ctx context.Context, b *bed.Bed) error {
	h := held{Bed: b}
	b.CPUs()
	b.Turns(3, 5*time.Second)
	b.IntVar(&h.few, "few", 100, "connections to start from")
	b.IntVar(&h.many, "many", 10_000, "connections to hold")
	b.IntVar(&h.each, "requests", 2, "requests on each connection")
	b.Read()
	b.Want(h.few > 0 && h.many > h.few && h.each > 0 && b.Slice >= time.Second,
		"want more connections than few, 1 request and 1s at least")
	if err := b.Start(ctx); err != nil {
		return err
	}
	h.hone = side.Found{Program: b.Hone.Program, Tool: side.HoneLoad(side.Hone, func(j side.Job) []string {
		args := []string{j.URL, "-c", strconv.Itoa(j.Connections), "--rate", strconv.Itoa(j.RateHz)}
		if strings.HasPrefix(j.URL, "https:") {
			args = append(args, "-k")
		}
		return args
	})}
	h.Table = b.Result.Table("Memory", "server", fmt.Sprintf("peak with %d, MB", h.many), "kB for each more")
	for _, kind := range []string{side.NetHTTP, side.HTTPS} {
		s, err := side.StartServer(ctx, kind, b.ServerCPU)
		if err != nil {
			return err
		}
		if err := errors.Join(h.measure(ctx, kind, s.URL), s.Close()); err != nil {
			return err
		}
	}
	program := filepath.Join(b.Dir, "gorilla")
	if err := proc.BuildGo(ctx, "peers", program, "./websocket/gorilla"); err != nil {
		return err
	}
	s, err := proc.Serve(ctx, b.ServerCPU, proc.Command{Program: program, Args: []string{"-mode", "server"}})
	if err != nil {
		return err
	}
	defer s.Stop()
	return h.measure(ctx, "websocket", "ws://"+s.Addr+"/")
}

// measure makes the row of one server.
func (h held) measure(ctx context.Context, name, url string) error {
	numbers := []int{h.few, h.many}
	peaks, err := figures.Sampled(h.Rounds, len(numbers),
		func(_, i int) (float64, error) { return h.peak(ctx, url, numbers[i]) })
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	megabytes, each := make([]float64, h.Rounds), make([]float64, h.Rounds)
	for r, most := range peaks[1] {
		megabytes[r], each[r] = most/1e6, (most-peaks[0][r])/float64(h.many-h.few)/1e3
	}
	h.Row(name, figures.Spread("%.1f", megabytes), figures.Spread("%.2f", each))
	h.Claim(fmt.Sprintf("memory of `hone load` for each of %d connections, %s", h.many, name), "%s kB",
		figures.Spread("%.1f", each))
	return nil
}

// peak is hone's largest resident set with so many connections, in bytes. Each request has to be answered right.
func (h held) peak(ctx context.Context, url string, connections int) (float64, error) {
	rate := int(float64(connections*h.each) / h.Slice.Seconds())
	r, done, err := h.hone.Run(ctx, h.ClientCPU, side.Job{URL: url, Connections: connections, Duration: h.Slice,
		RateHz: max(rate, 1)})
	if err == nil && (r.Failed+r.GivenUp > 0 || r.Answered < uint64(connections)) {
		err = fmt.Errorf("%d connections: %d answered right, %d wrong, %d not answered or sent", connections,
			r.Answered, r.Failed, r.GivenUp)
	}
	return float64(done.Peak), err
}
