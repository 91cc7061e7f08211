package power

import (
	"math"

	"github.com/gohone/hone/judge"
)

// Played is how a comparison went whose blocks were there before.
type Played struct {
	// First is the verdict of the first stage, Final that of the whole. Both have the word judge.Undecided alone where the
	// first stage shows no difference.
	First, Final judge.Verdict
	// Blocks is how many blocks it took.
	Blocks int
}

// Play carries out a comparison in two stages whose budget has room for so many blocks: it looks for a difference, ends,
// and measures again as hone does, but for gates, for measures beside this one, and for what is shown to be the same. It
// takes twice room blocks at most.
func Play(m judge.Measure, blocks []judge.Block, room int, o judge.Options) (Played, error) {
	o.Staged, o.Looks = true, nil
	for n := judge.FirstLook; ; n = min(judge.NextLook(n), room) {
		o.Looks = append(o.Looks, judge.Look{Blocks: n, Used: float64(n) / float64(room)})
		v, err := shown(m, blocks[:n], o)
		switch {
		case err != nil:
			return Played{}, err
		case n == room && !v.Word.Different():
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

// shown is the verdict of a look that shows a difference.
func shown(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, error) {
	if different, err := judge.Shown(m, blocks, o); err != nil || !different {
		return judge.Verdict{Measure: m, Word: judge.Undecided}, err
	}
	return judge.Decide(m, blocks, o)
}
