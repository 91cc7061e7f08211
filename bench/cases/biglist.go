package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/stored"
)

// BigList times lists of a large ledger: hone history in the terminal, and the answer that the web UI draws a history
// from, with the time until a browser has painted it. The runs are copies of a real one, with its slices and documents.
var BigList = bed.Case{
	Name: "biglist", Shows: "hone history, and the history of the web UI, of 10,000 runs", Takes: "3 minutes",
	Needs: "chromium for the time in a browser", Run: measureBigList,
}

func measureBigList(ctx context.Context, b *bed.Bed) error {
	b.Repeats(7, "times that each list is made")
	runs := b.Int("runs", 10_000, "runs in the ledger")
	keep := b.String("keep", "", "directory of the ledger to make and keep, or to use if it is there")
	b.Read()
	b.Want(*runs > 0, "want at least one run")
	if err := b.Start(ctx); err != nil {
		return err
	}
	big := filepath.Join(b.Dir, "big")
	if *keep != "" {
		big = *keep
	}
	if _, err := os.Stat(big); errors.Is(err, os.ErrNotExist) {
		b.Progress("making a ledger of %d runs", *runs)
		if err := fill(ctx, b.Hone, big, *runs); err != nil {
			return err
		}
	}
	t, err := lists(ctx, b, big)
	if err != nil {
		return err
	}
	b.Hone.Ledger = big
	server, err := b.Hone.Serve(ctx)
	if err != nil {
		return err
	}
	return errors.Join(paint(ctx, t, b.Rounds, server.Address, "#/"), server.End())
}

// lists times the lists.
func lists(ctx context.Context, b *bed.Bed, dir string) (*bed.Table, error) {
	info, err := os.Stat(filepath.Join(dir, "index"))
	if err != nil {
		return nil, err
	}
	t := b.Table(fmt.Sprintf("Index of %.1f MB", float64(info.Size())/1e6), "list", "seconds")
	for _, args := range [][]string{{"history"}, {"history", "--measure", "cpu"}} {
		var took []float64
		for range b.Rounds {
			d, err := proc.Run(ctx, -1, proc.Command{Program: b.Hone.Program, Args: append(args, "--ledger", dir)})
			if err != nil {
				return nil, err
			}
			took = append(took, d.Wall.Seconds())
		}
		t.Row(fmt.Sprint("hone ", args), figures.Spread("%.3f", took))
		b.Claim(fmt.Sprintf("`hone %v` of a large ledger", args), "%s s", figures.Spread("%.3f", took))
	}
	opened, answered, size, err := answer(b.Rounds, dir)
	if err != nil {
		return nil, err
	}
	t.Row("open the ledger to read", figures.Spread("%.3f", opened))
	t.Row(fmt.Sprintf("answer of history, %.2f MB of JSON", float64(size)/1e6), figures.Spread("%.3f", answered))
	return t, nil
}

// answer makes the answer of the web UI again and again.
func answer(rounds int, dir string) (opened, answered []float64, size int, err error) {
	for range rounds {
		began := time.Now()
		l, err := ledger.OpenReader(dir)
		if err != nil {
			return nil, nil, 0, err
		}
		opened = append(opened, time.Since(began).Seconds())
		began = time.Now()
		p, err := (&page.Library{Stored: &stored.Library{Ledger: l}}).History(history.Query{})
		var text []byte
		if err == nil {
			text, err = json.Marshal(p)
		}
		answered, size = append(answered, time.Since(began).Seconds()), len(text)
		if err := errors.Join(err, l.Close()); err != nil {
			return nil, nil, 0, err
		}
	}
	return opened, answered, size, nil
}

// batch is how many runs are stored at once: their slices are in memory.
const batch = 500

// fill measures a run and stores copies of it in the ledger in dir: an hour apart, over a hundred
// commits, with results that scatter and shift now and then.
func fill(ctx context.Context, hone honecli.Hone, dir string, runs int) error {
	id, err := hone.Measure(ctx, "../services/framed/cmd/framed",
		[]string{"-d", "2s", "--target", "framed://127.0.0.1:{port}"}, nil)
	if err != nil {
		return err
	}
	from, err := ledger.OpenReader(hone.Ledger)
	if err != nil {
		return err
	}
	defer from.Close()
	record, err := from.Record(ledger.Ref{Kind: ledger.KindRun, ID: id})
	if err != nil {
		return err
	}
	bytes := map[string]ledger.Artefact{}
	for _, a := range record.Artefacts {
		bytes[a.SHA256] = a
	}
	blob := func(sum string) (io.ReadCloser, error) {
		path, err := from.ArtefactPath(bytes[sum])
		if err != nil {
			return nil, err
		}
		return os.Open(path)
	}
	to, err := ledger.Open(dir)
	if err != nil {
		return err
	}
	for n := 0; n < runs && err == nil; n += batch {
		var all []*ledger.Record
		for i := n; i < min(n+batch, runs); i++ {
			all = append(all, clone(record, i))
		}
		_, err = to.Import(all, blob)
	}
	return errors.Join(err, to.Close())
}

// clone is the n-th copy of a run.
func clone(r *ledger.Record, n int) *ledger.Record {
	copied, run := *r, *r.Run
	run.ID = fmt.Sprintf("%08x", 0x10000000+n*7919)
	run.Started = run.Started.Add(time.Duration(n-10_000) * time.Hour)
	run.Finished = run.Started.Add(10 * time.Second)
	run.Commit, run.Label = fmt.Sprintf("%08x%032x", n/10, n/10), fmt.Sprintf("./cmd/service%d", n%5)
	run.Origin = &ledger.Origin{Host: "ci"}
	copied.Seq, copied.Run = int64(n+1), &run
	copied.Measures, copied.Artefacts, copied.Slices = nil, nil, ledger.SliceFile{} // slices are bound to the id
	for _, m := range r.Measures {
		scale := 1 + float64(n*2654435761%1000)/50_000 + float64(n/400%3)/10
		m.Value *= scale
		if m.Low != nil {
			low, high := *m.Low*scale, *m.High*scale
			m.Low, m.High = &low, &high
		}
		copied.Measures = append(copied.Measures, m)
	}
	for _, a := range r.Artefacts {
		a.Run = run.ID
		copied.Artefacts = append(copied.Artefacts, a)
	}
	return &copied
}
