package prof

import (
	"github.com/gohone/hone/prof/internal/calltree"
)

// defaultRoom is how much text a document holds unless ViewOptions says otherwise, in bytes: a
// quarter of a million lines.
const defaultRoom = 32 << 20

func (l ViewOptions) Room() *calltree.Room {
	if l.MaxBytes > 0 {
		return &calltree.Room{Left: l.MaxBytes}
	}
	return &calltree.Room{Left: defaultRoom}
}

// text is the length of a place as documents write it.
func (p Place) textBytes() int { return len(p.Function) + len(p.File) + 40 }
