package advice

import (
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// calls matches stacks on which a library's function is called that names takes: the outermost of them.
func calls(names func(*facts.Frame) bool) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		at := s.Find(names)
		if at < 0 {
			return -1
		}
		return s.Outermost(names, s.Own(at))
	}
}

// oneOf takes the frames of these functions.
func oneOf(functions ...string) func(*facts.Frame) bool {
	return func(f *facts.Frame) bool { return f.Origin != prof.Own && f.Is(functions...) }
}

// directly matches stacks on which the user's code itself, without a library between, calls one of these functions of
// the runtime; they are the compiler's names for what a line does.
func directly(functions ...string) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		at := s.Find(func(f *facts.Frame) bool { return f.Origin == prof.Runtime && f.Is(functions...) })
		if at < 0 {
			return -1
		}
		for i := at; i < len(s.Frames); i++ {
			switch s.Frames[i].Origin {
			case prof.Own:
				return at
			case prof.Runtime:
			default:
				return -1
			}
		}
		return -1
	}
}

// either takes the first of several matches.
func either(matches ...func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		for _, m := range matches {
			if at := m(s); at >= 0 {
				return at
			}
		}
		return -1
	}
}

// askedFor narrows match to functions that the user's code or a library outside of the standard one calls: what the
// standard library does for itself, such as net/http with the time in its headers, is not the user's choice.
func askedFor(match func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		at := match(s)
		if at < 0 || at+1 >= len(s.Frames) || s.Frames[at+1].Origin < prof.Dependency {
			return -1
		}
		return at
	}
}

// underOwn is match without stacks on which no line of the user's is the reason.
func underOwn(match func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		if own := s.Own(at); own == len(s.Frames) || s.HandsOn(own) {
			return -1
		}
		return at
	}
}

// unless is match without stacks whose nearest frame of the user's, by its number, is an exception.
func unless(exception func(s *facts.Stack, own int) bool, match func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		if at := match(s); at >= 0 && !exception(s, s.Own(at)) {
			return at
		}
		return -1
	}
}

// outsideKernel is match without stacks in system calls, which belong to what is read or written.
func outsideKernel(match func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		if s.Kernel() {
			return -1
		}
		return match(s)
	}
}

// inDataLoop is match for stacks whose call is in a loop over data; it returns the frame of the loop.
func (v *search) inDataLoop(match func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		return v.DataLoop(s, at)
	}
}

// withArguments is match, and what the user's lines on which it hits allocate themselves: the arguments that they put
// into interfaces and slices for the call.
func (v *search) withArguments(match func(*facts.Stack) int) func(*facts.Stack) int {
	lines := map[facts.LineKey]bool{}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		if at := match(s); at >= 0 && at+1 < len(s.Frames) && s.Frames[at+1].Origin == prof.Own {
			lines[facts.LineKey{Function: s.Frames[at+1].Function, Line: s.Frames[at+1].Line}] = true
		}
	}
	boxes := directly("runtime.convT*", "runtime.newobject", "runtime.mallocgc*")
	return either(match, func(s *facts.Stack) int {
		at := boxes(s)
		if at < 0 || s.Find(madeOtherwise) >= 0 {
			return -1
		}
		if own := &s.Frames[s.Own(at)]; !lines[facts.LineKey{Function: own.Function, Line: own.Line}] {
			return -1
		}
		return at
	})
}

// madeOtherwise takes the ways to allocate that are not an argument of a call: a line may join strings or grow a slice
// as well.
func madeOtherwise(f *facts.Frame) bool {
	return f.Is("runtime.concatstring*", "runtime.growslice*", "runtime.slicebytetostring*", "runtime.stringtoslice*",
		"runtime.makeslice*", "runtime.makemap*") || growsMap(f)
}
