package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/prof"
)

// pieces narrows match, which finds system calls, to those that one function of the user's makes in several pieces: by
// several lines, or by a line in a loop that stays with one connection. It returns the frame of that function. A server
// that sends one message to each of many connections makes as many calls, and no buffer helps it. perRequest is how
// many calls a request takes: the ways to the call that lead through lines without a loop must be about as many.
func (v *View) pieces(perRequest float64, match func(*stack) int) func(*stack) int {
	ways := map[string]map[string]bool{} // by function: from its line on to the call
	lines := map[string]map[int64]bool{} // by function: those that lead to a call
	for i := range v.stacks {
		s := &v.stacks[i]
		at := match(s)
		if at < 0 {
			continue
		}
		way := ""
		for _, own := range v.near(s, at) {
			f := &s.frames[own]
			if lines[f.function] == nil {
				lines[f.function], ways[f.function] = map[int64]bool{}, map[string]bool{}
			}
			way += fmt.Sprint(f.function, ":", f.line, " ")
			lines[f.function][f.line], ways[f.function][way] = true, true
		}
	}
	return func(s *stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		several := -1 // the innermost function with several lines
		for _, own := range v.near(s, at) {
			f := &s.frames[own]
			if several < 0 && len(lines[f.function]) > 1 {
				several = own
			}
			if several >= 0 && perRequest <= mostPerLine*float64(len(ways[f.function])) {
				return several
			}
		}
		loop := v.oneStream(s, at)
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
func (v *View) near(s *stack, at int) (frames []int) {
	for own := s.own(at); own < len(s.frames) && len(frames) < helpers; own = s.own(own + 1) {
		if !passesOn(&s.frames[own]) {
			frames = append(frames, own)
		}
	}
	return frames
}

// passesOn says whether a function of the user's is an io.Reader or io.Writer around a connection.
func passesOn(f *frame) bool {
	name := f.name[strings.LastIndexByte(f.name, '.')+1:]
	return f.origin == prof.Own && strings.Contains(f.name, ")") &&
		(name == "Write" || name == "Read" || name == "WriteString")
}
