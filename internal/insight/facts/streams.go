package facts

import "github.com/gohone/hone/prof"

// OneStream says at which of the user's frames, from frame number at outwards, a loop over data reads or writes again
// and again with one stream; -1 if none does. The stream is followed from the call through parameters and receivers of
// the user's functions: a loop whose element it comes from serves many connections, and no buffer helps it.
func (v *View) OneStream(s *Stack, at int) int {
	own := s.Own(at)
	if own == len(s.Frames) {
		return -1
	}
	stream := v.File(s.Frames[own].File).StreamAt(int(s.Frames[own].Line))
	for range mostHandedOn {
		if stream == nil {
			return -1
		}
		f := &s.Frames[own]
		file := v.File(f.File)
		_, overElements := file.ElementLoop(int(f.Line))
		switch {
		case file.VariesInLoop(int(f.Line), stream):
			return -1
		case overElements:
			return own
		}
		caller := own + 1
		if caller >= len(s.Frames) || s.Frames[caller].Origin != prof.Own {
			return -1
		}
		stream = file.HandedBy(int(f.Line), stream, v.File(s.Frames[caller].File), int(s.Frames[caller].Line))
		own = caller
	}
	return -1
}

// mostHandedOn bounds through how many functions a stream is followed.
const mostHandedOn = 6
