package recording

import (
	"bytes"

	"github.com/gohone/hone/internal/store/packed"
)

// Follower reads a recording that comes in pieces, while it is being written. What is not a recording it ignores from
// there on: Read says what is wrong with the whole.
type Follower struct {
	each   func(packed.Slice)
	p      parser
	rest   []byte // the line so far
	broken bool
}

// Follow returns a Follower that calls each for every slice.
func Follow(each func(packed.Slice)) *Follower {
	return &Follower{each: each, p: parser{out: &Recording{}}}
}

// Write takes the next piece. It never fails.
func (f *Follower) Write(piece []byte) (int, error) {
	length := len(piece)
	for !f.broken {
		// only what is new is searched: a line may come in many pieces
		more, rest, whole := bytes.Cut(piece, []byte("\n"))
		if f.broken = len(f.rest)+len(more) > maxBytes(f.p.line == 0); f.broken {
			break
		}
		f.rest = append(f.rest, more...)
		if !whole {
			break
		}
		line := f.rest
		f.rest, piece = f.rest[:0], rest
		f.p.line++
		before := len(f.p.out.Slices)
		f.broken = f.p.take(line) != nil
		if all := f.p.out.Slices; !f.broken && len(all) > before {
			f.each(all[len(all)-1])
			f.p.out.Slices = append(all[:0], all[len(all)-1]) // the next one is compared with it
		}
	}
	if f.broken {
		f.rest = nil
	}
	return length, nil
}
