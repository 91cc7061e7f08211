package prof

import (
	"path"
	"slices"

	"github.com/google/pprof/profile"
)

// frame is one function call on a stack, inlined or not.
type frame struct {
	function string
	file     string
	line     int64
}

// appendFrames appends a sample's stack, leaf first.
func appendFrames(frames []frame, s *profile.Sample) []frame {
	for _, l := range s.Location {
		frames = appendFramesAt(frames, l)
	}
	return frames
}

// appendFramesAt appends the frames of a location, leaf first.
func appendFramesAt(frames []frame, l *profile.Location) []frame {
	if len(l.Line) == 0 {
		frames = append(frames, frame{function: unsymbolised(l)})
	}
	for _, line := range l.Line {
		f := frame{function: line.Function.Name, file: line.Function.Filename, line: line.Line}
		if f.function == "" {
			f.function = unsymbolised(l)
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

// isObserver says whether a stack is that of hone's probe or of the profiler.
func isObserver(stack []frame) bool {
	return slices.ContainsFunc(stack, func(f frame) bool { return isProbe(f.function) || isProfiler(f.function) })
}
