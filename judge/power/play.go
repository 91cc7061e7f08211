package power

import (
	"math"

	"github.com/gohone/hone/judge"
)

// Played is how a comparison went whose blocks were there before.
type Played struct {
	// First is the verdict of the first stage, Final that of the whole.
	First, Final judge.Verdict
	// Blocks is how many blocks it took.
	Blocks int
}

// Play carries out a comparison in two stages whose budget has room for so many blocks: it looks, ends, and measures
// again as hone does, but for gates and for measures beside this one. It takes twice room blocks at most.
func Play(m judge.Measure, blocks []judge.Block, room int, o judge.Options) (Played, error) {
	o.Staged, o.Looks = true, nil
	for n := judge.FirstLook; ; n = min(judge.NextLook(n), room) {
		o.Looks = append(o.Looks, judge.Look{Blocks: n, Used: float64(n) / float64(room)})
		v, err := judge.Decide(m, blocks[:n], o)
		switch {
		case err != nil:
			return Played{}, err
		case v.Word == judge.Same || n == room && !v.Word.Different():
			return Played{v, v, n}, nil
		case !v.Word.Different():
			continue
		}
		distance := math.Log(v.Ratio)
		more := max(judge.LeastToConfirm(v, distance), min(judge.ConfirmingBlocks(v, distance), room-n))
		more = min(more, len(blocks)-n)
		o.Confirm = n
		final, err := judge.DecideInStages(m, blocks[:n+more], o, func(v judge.Verdict) bool { return v.Word.Different() })
		return Played{v, final, n + more}, err
	}
}
