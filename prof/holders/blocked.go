package holders

import (
	"fmt"
	"path/filepath"

	"github.com/gohone/hone/prof/symbol"
)

// Wait is where goroutines wait, and why in the runtime's words: "chan receive".
type Wait struct {
	Place
	Reason string `json:"reason,omitempty"`
}

// Place is a place in source.
type Place struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// String is the file without its directories, and the line.
func (p Place) String() string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }

// blocked says of a holder in goroutines how many these are, where they were started and where most of them wait.
func (p *paths) blocked(at uint32, h *Holder) {
	of := uint32(0)
	for up := at; up != 0 && of == 0; up = p.all[up].parent {
		if l := p.label(up); l.kind == goroutine {
			h.Goroutines, of = p.all[up].heads, up
			if l.file != "" {
				h.Started = &Place{File: l.file, Line: l.line}
			}
		}
	}
	if of == 0 {
		return
	}
	from := of
	for up := at; up != of; up = p.all[up].parent {
		if p.label(up).kind == frame {
			from = up
			break
		}
	}
	h.Waits = p.wait(from)
}

// wait is the innermost call of a path of frames that most goroutines have, and the last one of those that is not of
// the standard library; nil if the path has no frames.
func (p *paths) wait(from uint32) *Wait {
	var w Wait
	for at := from; at != 0; at = p.callee(at) {
		l := p.label(at)
		if l.kind != frame {
			continue
		}
		if w.File == "" || symbol.IsUser(l.part, "") {
			w.Place = Place{Function: l.part, File: l.file, Line: l.line}
		}
		w.Reason = p.walk.waits[p.all[at].label]
	}
	if w.File == "" || w.Reason == "" {
		return nil
	}
	return &w
}

// callee is the path of the frame that a frame or a goroutine leads to, of several that of most goroutines; 0 if there
// is none.
func (p *paths) callee(at uint32) (most uint32) {
	for _, b := range p.all[at].below {
		if p.label(b).kind == frame && (most == 0 || p.all[b].heads > p.all[most].heads) {
			most = b
		}
	}
	return most
}
