package facts

import (
	"go/ast"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// FromRequest says whether what the user's line of frame number own hands to a library first comes with each request,
// as far as the source says: by way of variables, and of parameters of the user's functions.
func (v *View) FromRequest(s *Stack, own int) bool {
	return v.ComesWithRequest(s, own, func(*code.File, *ast.CallExpr) int { return 0 })
}

// callsOf are the calls on the line of frame number own that call the frame below it: a line may call other functions
// as well. It is nil if the source names none.
func (v *View) callsOf(s *Stack, own int) (all []*ast.CallExpr) {
	if own == 0 || own >= len(s.Frames) {
		return nil
	}
	f, called := &s.Frames[own], s.Frames[own-1].Name
	for _, c := range v.File(f.File).CallsAt(int(f.Line)) {
		if code.CalleeName(c) == called[strings.LastIndexByte(called, '.')+1:] {
			all = append(all, c)
		}
	}
	return all
}

// ComesWithRequest is fromRequest for the argument whose number is says for each call of the line.
func (v *View) ComesWithRequest(s *Stack, own int, is func(*code.File, *ast.CallExpr) int) bool {
	if own >= len(s.Frames) {
		return false
	}
	file := v.File(s.Frames[own].File)
	calls := v.callsOf(s, own)
	if calls == nil {
		calls = file.CallsAt(int(s.Frames[own].Line)) // by way of a variable, under another name
	}
	var made []ast.Expr
	for _, c := range calls {
		if i := is(file, c); i < len(c.Args) {
			made = append(made, c.Args[i])
		}
	}
	for i := own; len(made) > 0 && i < own+framesOfLoop; i++ {
		f := &s.Frames[i]
		file = v.File(f.File)
		for _, e := range made {
			if file.AsksRequest(int(f.Line), e, framesOfLoop) {
				return true
			}
		}
		if i+1 >= len(s.Frames) || s.Frames[i+1].Origin != prof.Own {
			return false
		}
		made = v.handedIn(f, &s.Frames[i+1], made)
	}
	return false
}
