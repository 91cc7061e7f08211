package symbol

import (
	"path"
	"slices"

	"github.com/google/pprof/profile"
)

// Frame is one function call on a stack, inlined or not.
type Frame struct {
	Function string
	File     string
	Line     int64
}

// AppendFrames appends a sample's stack, leaf first.
func AppendFrames(frames []Frame, s *profile.Sample) []Frame {
	for _, l := range s.Location {
		frames = AppendFramesAt(frames, l)
	}
	return frames
}

// AppendFramesAt appends the frames of a location, leaf first.
func AppendFramesAt(frames []Frame, l *profile.Location) []Frame {
	if len(l.Line) == 0 {
		frames = append(frames, Frame{Function: unsymbolised(l)})
	}
	for _, line := range l.Line {
		f := Frame{Function: line.Function.Name, File: line.Function.Filename, Line: line.Line}
		if f.Function == "" {
			f.Function = unsymbolised(l)
		}
		frames = append(frames, f)
	}
	return frames
}

// unsymbolised names a location without a function as pprof does: the file that
// it lies in, in brackets.
func unsymbolised(l *profile.Location) string {
	if l.Mapping == nil || l.Mapping.File == "" {
		return "<unknown>"
	}
	return "[" + path.Base(l.Mapping.File) + "]"
}

// IsObserver says whether a stack is that of hone's probe or of the profiler.
func IsObserver(stack []Frame) bool {
	return slices.ContainsFunc(stack, func(f Frame) bool { return IsProbe(f.Function) || IsProfiler(f.Function) })
}
