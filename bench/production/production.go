// Package production holds what hone makes of production's profiles against others: real servers of Pyroscope and
// Parca, and OpenTelemetry's own library.
//
// The servers are the user's: go install does not build them, since their go.mod files have replace lines. Tests
// without a server have internal/testkit/profstore, which speaks their protocols.
package production

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/prof"
)

// Case pushes a profile to a server and has hone pull it.
var Case = bed.Case{
	Name:  "production",
	Shows: "are the shares of a profile that hone pulls from Pyroscope and Parca those that were pushed",
	Takes: "10 seconds",
	Needs: "a Pyroscope or a Parca that runs on this machine, and its address: -pyroscope http://127.0.0.1:4040",
	Run:   run,
}

// store is a server under test.
type store struct {
	name, address string
	// push is the path that takes profiles as JSON; labels are written as it wants them.
	push   string
	labels func(map[string]string) any
}

// source is the profile that is pushed.
const source = "../prof/testdata/work.cpu.pb.gz"

func run(ctx context.Context, b *bed.Bed) error {
	stores := []*store{
		{name: "pyroscope", push: "/push.v1.PusherService/Push",
			labels: func(of map[string]string) any { return pairs(of) }},
		{name: "parca", push: "/api/profiles/writeraw",
			labels: func(of map[string]string) any { return map[string]any{"labels": pairs(of)} }},
	}
	for _, s := range stores {
		b.StringVar(&s.address, s.name, "", "`URL` of a "+s.name+" on this machine")
	}
	b.Read()
	b.Want(stores[0].address+stores[1].address != "", "want the address of a server: -pyroscope or -parca")
	if err := b.Start(ctx); err != nil {
		return err
	}
	t := b.Table("Pulled", "store", "functions", "largest difference of a share")
	for _, s := range stores {
		if s.address == "" {
			continue
		}
		n, differ, err := s.check(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		t.Row(s.name, fmt.Sprint(n), fmt.Sprintf("%.2g", differ))
		if differ > 1e-9 {
			return fmt.Errorf("%s: a share differs by %v", s.name, differ)
		}
	}
	b.Claim("functions' shares of a CPU profile that was pushed to a store of profiles and pulled by hone pull (wanted: equal)", "equal")
	return nil
}

// check pushes the profile twice, as two regions, and compares the shares of what is pulled with those of the file.
func (s *store) check(ctx context.Context, b *bed.Bed) (functions int, differ float64, err error) {
	service := fmt.Sprintf("bench-%d", time.Now().UnixNano())
	for _, region := range []string{"eu", "us"} {
		if err := s.send(ctx, map[string]string{"__name__": "process_cpu", "service_name": service,
			"region": region}); err != nil {
			return 0, 0, err
		}
	}
	want, err := shares(ctx, b, source)
	if err != nil {
		return 0, 0, err
	}
	var pulled struct{ ID string }
	if _, err := b.Hone.Ask(ctx, &pulled, nil, "pull "+s.name, s.address, "--query",
		fmt.Sprintf("{service_name=%q}", service), "--from", "now-10m", "--to", "now+1m", "--kind", "cpu",
		"--quiet"); err != nil {
		return 0, 0, err
	}
	for _, filter := range []string{"", "region=eu", "region=us"} {
		got, err := shares(ctx, b, pulled.ID, "--tag-focus", filter)
		if err != nil {
			return 0, 0, err
		}
		for name, share := range want {
			differ = math.Max(differ, math.Abs(got[name]-share))
		}
		if len(got) != len(want) {
			return 0, 0, fmt.Errorf("%d functions of %q, want %d", len(got), filter, len(want))
		}
	}
	return len(want), differ, nil
}

// shares are those of the functions by themselves, as hone profile top says them; of those that are shown.
func shares(ctx context.Context, b *bed.Bed, of string, args ...string) (map[string]float64, error) {
	var top prof.Top
	if _, err := b.Hone.Ask(ctx, &top, nil, "profile top",
		append([]string{of, "--sample", "cpu", "--node-share", "0", "-n", "0"}, args...)...); err != nil {
		return nil, err
	}
	sum := int64(0)
	for _, row := range top.Rows {
		sum += row.Flat
	}
	all := map[string]float64{}
	for _, row := range top.Rows {
		all[row.Function] += float64(row.Flat) / float64(sum)
	}
	return all, nil
}

// send pushes the profile, taken now, to the server.
func (s *store) send(ctx context.Context, labels map[string]string) error {
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		return err
	}
	p.TimeNanos = time.Now().UnixNano()
	var raw bytes.Buffer
	if err := p.Write(&raw); err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"normalized": true, "series": []any{map[string]any{
		"labels": s.labels(labels), "samples": []any{map[string]any{"rawProfile": raw.Bytes()}},
	}}})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(s.address, "/")+s.push,
		bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
		return fmt.Errorf("push: %s: %s", answer.Status, text)
	}
	return nil
}

func pairs(of map[string]string) []map[string]string {
	list := []map[string]string{}
	for name, value := range of {
		list = append(list, map[string]string{"name": name, "value": value})
	}
	return list
}
