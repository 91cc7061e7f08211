package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// pieces narrows match, which finds system calls, to those that one function of the user's makes in several pieces: by
// several lines, or by a line in a loop that stays with one connection. It returns the frame of that function. A server
// that sends one message to each of many connections makes as many calls, and no buffer helps it. perRequest is how
// many calls a request takes: the ways to the call that lead through lines without a loop must be about as many.
func (v *search) pieces(perRequest float64, match func(*facts.Stack) int) func(*facts.Stack) int {
	ways := map[string]map[string]bool{} // by function: from its line on to the call
	lines := map[string]map[int64]bool{} // by function: those that lead to a call
	for i := range v.Stacks {
		s := &v.Stacks[i]
		at := match(s)
		if at < 0 {
			continue
		}
		way := ""
		for _, own := range v.near(s, at) {
			f := &s.Frames[own]
			if lines[f.Function] == nil {
				lines[f.Function], ways[f.Function] = map[int64]bool{}, map[string]bool{}
			}
			way += fmt.Sprint(f.Function, ":", f.Line, " ")
			lines[f.Function][f.Line], ways[f.Function][way] = true, true
		}
	}
	return func(s *facts.Stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		several := -1 // the innermost function with several lines
		for _, own := range v.near(s, at) {
			f := &s.Frames[own]
			if several < 0 && len(lines[f.Function]) > 1 {
				several = own
			}
			if several >= 0 && perRequest <= mostPerLine*float64(len(ways[f.Function])) {
				return several
			}
		}
		loop := v.OneStream(s, at)
		if near := v.near(s, at); loop >= 0 && len(near) > 0 {
			return near[0]
		}
		return loop
	}
}

// mostPerLine is how many calls per request a way through lines outside of loops can be the reason for: the profile
// does not see each of them.
const mostPerLine = 2

// helpers is how many of the user's functions may lie between the one that writes an answer in pieces and the call.
const helpers = 3

// near are the frames of the user's functions around frame number at, the innermost first, without readers and writers
// that only pass on: as many as may help one that writes in pieces.
func (v *search) near(s *facts.Stack, at int) (frames []int) {
	for own := s.Own(at); own < len(s.Frames) && len(frames) < helpers; own = s.Own(own + 1) {
		if !passesOn(&s.Frames[own]) {
			frames = append(frames, own)
		}
	}
	return frames
}

// passesOn says whether a function of the user's is an io.Reader or io.Writer around a connection.
func passesOn(f *facts.Frame) bool {
	name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
	return f.Origin == prof.Own && strings.Contains(f.Name, ")") &&
		(name == "Write" || name == "Read" || name == "WriteString")
}
