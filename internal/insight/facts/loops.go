package facts

import (
	"go/ast"
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// framesOfLoop is through how many of the user's functions a loop is looked for around a call.
const framesOfLoop = 3

// DataLoop is the user's frame, from frame number at outwards, whose line is in a loop over data: a helper may lie
// between the loop and the call. -1 if there is none. Loops that serve, which have no end or end with their connection,
// are none.
func (v *View) DataLoop(s *Stack, at int) int {
	own := s.Own(at)
	for range framesOfLoop {
		if own >= len(s.Frames) || s.HandsOn(own) {
			return -1
		}
		f := &s.Frames[own]
		if file := v.File(f.File); file.Known() {
			if inLoop, overData := file.DataLoop(int(f.Line)); overData {
				return own
			} else if inLoop {
				return -1 // it serves, or polls
			}
		}
		next := own + 1
		if next >= len(s.Frames) || s.Frames[next].Origin != prof.Own {
			return -1
		}
		own = next
	}
	return -1
}

// SameInLoop says whether the call of a library's function, frame number at, gets the same for each element of the loop
// around it, as far as the source says: its arguments and its receiver come from outside of the loop, through the
// functions between. depends takes functions whose result depends on their arguments only.
func (v *View) SameInLoop(s *Stack, at int, depends func(*Frame) bool) bool {
	own := s.Own(at)
	// sql.Rows.Scan calls strconv, and gets another row
	if own == 0 || own == len(s.Frames) || !depends(&s.Frames[own-1]) {
		return false
	}
	loop := v.DataLoop(s, own)
	if loop < 0 {
		return false
	}
	var inputs []ast.Expr
	for _, c := range v.callsOf(s, own) {
		inputs = append(inputs, code.InputsOf(c)...)
	}
	if inputs == nil {
		return false
	}
	for ; own < loop; own++ {
		if inputs = v.handedIn(&s.Frames[own], &s.Frames[own+1], inputs); inputs == nil {
			return false
		}
	}
	f := &s.Frames[loop]
	file := v.File(f.File)
	return !slices.ContainsFunc(inputs, func(e ast.Expr) bool { return file.VariesInLoop(int(f.Line), e) })
}

// handedIn are the expressions of the caller's line that a function's expressions are made of: see code.File.HandedIn.
func (v *View) handedIn(callee, caller *Frame, made []ast.Expr) []ast.Expr {
	return v.File(callee.File).HandedIn(int(callee.Line), made, v.File(caller.File), int(caller.Line))
}

// AddsInLoop says whether the user's function of frame number own returns a parameter with something added to it by +,
// and its caller puts that into the variable that it handed over, in a loop over data: the variable grows, and is
// copied each time.
func (v *View) AddsInLoop(s *Stack, own int) bool {
	if own+1 >= len(s.Frames) || s.Frames[own+1].Origin != prof.Own || v.DataLoop(s, own+1) < 0 {
		return false
	}
	callee, caller := &s.Frames[own], &s.Frames[own+1]
	handed := v.handedIn(callee, caller, v.File(callee.File).AddsTo(int(callee.Line)))
	return len(handed) == 1 && v.File(caller.File).Assigns(int(caller.Line), handed[0])
}
