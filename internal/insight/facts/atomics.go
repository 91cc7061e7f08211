package facts

import (
	"go/ast"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// AddsForEach is the statement that a stack is in, where it adds to an atomic word for each element of a loop over
// data, so that one add after the loop would do; nil if it is in none.
func (v *View) AddsForEach(s *Stack) *code.AtomicAdd {
	own := s.Own(0)
	if s.CPU == 0 || own == len(s.Frames) {
		return nil
	}
	for i := range own {
		if f := &s.Frames[i]; f.Pkg != "sync/atomic" && f.Pkg != "internal/runtime/atomic" {
			return nil
		}
	}
	f := &s.Frames[own]
	add := v.File(f.File).AtomicAddAt(int(f.Line), own > 0)
	if add == nil {
		return nil
	}
	loop := v.DataLoop(s, own)
	if loop < 0 {
		return nil
	}
	made, index := []ast.Expr{add.Word}, []ast.Expr{}
	if add.Index != nil {
		index = append(index, add.Index)
	}
	for i := own; i < loop; i++ {
		callee, caller := &s.Frames[i], &s.Frames[i+1]
		if v.File(callee.File).AsksFor(int(callee.Line), add.Variable) {
			return nil
		}
		if made = v.handedIn(callee, caller, made); made == nil {
			return nil
		}
		index = v.handedIn(callee, caller, index)
	}
	at := &s.Frames[loop]
	if !v.File(at.File).AddsForAll(int(at.Line), add.Variable, made, index) {
		return nil
	}
	return add
}

// AfterLine is the user's line that is executed after the one that a stack is in, as far as the source says, in its
// function or in the one that called it.
func (v *View) AfterLine(s *Stack) (next LineKey) {
	for i := s.Own(0); i < len(s.Frames) && s.Frames[i].Origin == prof.Own; i++ {
		f := &s.Frames[i]
		if line := v.File(f.File).After(int(f.Line)); line > 0 {
			return LineKey{f.Function, int64(line)}
		}
	}
	return LineKey{}
}
