package cases

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
)

// Engine is what hone's load engine costs, against a bare epoll client in C that checks the same answers of the same
// server. Both clients hold their connections open and take turns in short slices.
var Engine = bed.Case{Name: "engine", Shows: "CPU time per framed request of the load engine, beside a C epoll client",
	Takes: "10 s", Needs: "gcc", About: bed.AboutLoad, Run: measureEngine}

//go:embed peer/server.c
var serverSource []byte

//go:embed peer/client.c
var clientSource []byte

func measureEngine(ctx context.Context, b *bed.Bed) error {
	var depths []int
	b.CPUs()
	b.Turns(15, 60*time.Millisecond)
	connections := b.Int("c", 100, "connections of each client")
	b.Ints(&depths, "depths", "1,16,64", 1, "requests outstanding per connection")
	if err := b.Start(ctx); err != nil {
		return err
	}
	server, client := filepath.Join(b.Dir, "server"), filepath.Join(b.Dir, "client")
	for program, source := range map[string][]byte{server: serverSource, client: clientSource} {
		if err := proc.BuildC(ctx, program, source); err != nil {
			return err
		}
	}
	s, err := proc.Talk(-1, server, []string{strconv.Itoa(b.ServerCPU)})
	if err != nil {
		return err
	}
	defer s.Close()
	port, err := s.Out.ReadString('\n')
	if err != nil {
		return fmt.Errorf("read the server's port: %w", err)
	}
	t := b.Table(fmt.Sprintf("%d connections", *connections), "depth", "hone CPU ns/req", "C CPU ns/req", "hone / C",
		"hone frames/s", "C frames/s")
	for _, depth := range depths {
		if err := besideC(ctx, b, t, client, strings.TrimSpace(port), *connections, depth); err != nil {
			return fmt.Errorf("depth %d: %w", depth, err)
		}
	}
	return nil
}

// besideC measures both clients at one depth.
func besideC(ctx context.Context, b *bed.Bed, t *bed.Table, program, port string, connections, depth int) error {
	hone, err := openHone(ctx, b.ClientCPU, connections, port, depth)
	if err != nil {
		return err
	}
	defer hone.Close()
	bare, err := proc.Talk(-1, program, []string{strconv.Itoa(b.ClientCPU), port, strconv.Itoa(connections),
		strconv.Itoa(depth)})
	if err != nil {
		return err
	}
	defer bare.Close()
	clients := []func() (clientSlice, error){
		func() (clientSlice, error) { return honeSlice(ctx, hone, b.Slice) },
		func() (clientSlice, error) { return bareSlice(bare, b.Slice) },
	}
	samples, err := figures.Sampled(b.Rounds+1, len(clients),
		func(_, i int) (clientSlice, error) { return clients[i]() })
	if err != nil {
		return err
	}
	ours, theirs := samples[0][1:], samples[1][1:] // the first round warms up
	honeCPU, bareCPU := figures.Column(ours, clientSlice.nanos), figures.Column(theirs, clientSlice.nanos)
	ratio, err := figures.Paired(bareCPU, honeCPU)
	if err != nil {
		return err
	}
	median := func(format string, x []float64) string { return fmt.Sprintf(format, figures.Median(x)) }
	t.Row(fmt.Sprint(depth), median("%.1f", honeCPU), median("%.1f", bareCPU), ratio.String(),
		median("%.0f", figures.Column(ours, clientSlice.perSecond)),
		median("%.0f", figures.Column(theirs, clientSlice.perSecond)))
	b.Claim(fmt.Sprintf("load engine over a bare C epoll client, CPU per framed request, depth %d", depth), "%s", ratio)
	return nil
}
