package gobench

import (
	"context"
	"fmt"
	"math"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

const (
	// leastWritten is the least number of bytes per operation that count: the runtime and the results write some. A
	// fall has to be clear of leastFall of what A writes, and of storedFall of what A stores: pages are shared by
	// chance.
	leastWritten, leastFall, storedFall = 8, 0.05, 0.5
	// resultBytes is by how much a printed result may get shorter: it has fewer digits.
	resultBytes = 64
)

// checkWritten adds the caveat that B writes less.
func (m *measurement) checkWritten(_ context.Context, b *bench, v judge.Verdict) error {
	b.caveats = append(b.caveats, lessCaveats(v, b.accounts)...)
	return nil
}

// lessCaveats say that B writes fewer bytes for each operation, or has fewer of them on disk, such as without fsync.
func lessCaveats(v judge.Verdict, blocks [][2]account) (all []record.Caveat) {
	less := func(what string, least float64, of func(process.Written) uint64) bool {
		var falls, was, is []float64
		lines := 0.0
		for _, b := range blocks {
			var per [2]float64
			for side, one := range b {
				if !one.written.Known || one.operations == 0 {
					return false
				}
				lines = max(lines, resultBytes*float64(one.results)/float64(one.operations))
				per[side] = float64(of(one.written)) / float64(one.operations)
			}
			falls = append(falls, math.Log(max(1, per[1])/max(1, per[0])))
			was, is = append(was, per[0]), append(is, per[1])
		}
		e, err := stats.HodgesLehmann(falls, gainConf)
		if err != nil || !e.Bounded() || e.High >= math.Log1p(-least) {
			return false
		}
		a, _ := stats.Median(was)
		b, _ := stats.Median(is)
		if a-b < leastWritten+lines {
			return false
		}
		all = append(all, record.Caveat{Name: benchmarks.CaveatWrites, Open: true, Text: fmt.Sprintf("time per operation "+
			"%s, but B %s %s for each operation, and A %s: B does less of it", units.Percent(v.Ratio-1), what,
			units.Bytes(b), units.Bytes(a))})
		return true
	}
	if !less("writes", leastFall, func(w process.Written) uint64 { return w.Bytes }) {
		less("has disks store", storedFall, func(w process.Written) uint64 { return w.Stored })
	}
	return all
}
