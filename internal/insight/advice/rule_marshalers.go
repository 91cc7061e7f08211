package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// A type's MarshalJSON that calls json.Marshal encodes into a text of its own, which encoding/json then reads once more
// to check and compact it.

// callsMarshaler takes what calls a type's MarshalJSON.
func callsMarshaler(f *facts.Frame) bool {
	return f.Is("encoding/json.marshalerEncoder", "encoding/json.addrMarshalerEncoder")
}

// marshals is the frame of json.Marshal that a MarshalJSON calls, of which frame number at is the caller; -1 for none.
func marshals(s *facts.Stack, at int) int {
	return s.Outermost(func(f *facts.Frame) bool { return f.Is("encoding/json.Marshal") }, at)
}

// encodedAgain are findings of texts that are encoded by a MarshalJSON with json.Marshal, and read once more.
func (v *search) encodedAgain(r *Rule) []*found {
	within := map[code.Place]code.Place{} // by the line that encodes all: the one in the user's MarshalJSON
	for i := range v.Stacks {
		s := &v.Stacks[i]
		at := s.Find(callsMarshaler)
		if at < 0 || s.Own(at) == len(s.Frames) {
			continue
		}
		if m := marshals(s, at); m >= 0 && s.Frames[m+1].Origin == prof.Own {
			within[s.Frames[s.Own(at)].Place()] = s.Frames[m+1].Place()
		}
	}
	all := v.spendsOn(r, func(s *facts.Stack) int {
		at := s.Find(callsMarshaler)
		if at < 1 || s.Own(at) == len(s.Frames) {
			return -1
		}
		if _, again := within[s.Frames[s.Own(at)].Place()]; !again {
			return -1
		}
		if s.Frames[at-1].Is("encoding/json.appendCompact", "encoding/json.compact") {
			return at
		}
		m := marshals(s, at)
		if m < 0 || s.Outermost(func(f *facts.Frame) bool { return f.Is("encoding/json.(*encodeState).reflectValue") },
			m) >= 0 {
			return -1 // fields, which are encoded in any case
		}
		return at
	}, func(u *facts.Account) string {
		return fmt.Sprintf("%s calls json.Marshal, and encoding/json reads its text once more%s",
			facts.Short(within[u.Place].Function), perRequest(u, "allocations"))
	})
	for _, f := range all {
		f.Remedy = encodedOnce
		f.Evidence = append(f.Evidence, Evidence{Source: "source", Text: "for each value that is encoded at " +
			f.Place.String()})
		f.Place = within[f.Place]
	}
	return all
}

// encodedOnce is for a MarshalJSON that calls json.Marshal.
var encodedOnce = Remedy{
	Change: "encoding/json calls MarshalJSON for each value, copies its text, checks and compacts it. Let it encode the " +
		"fields once: by tags alone, or by a type without the method that the answer is made of. What the method does " +
		"beside, such as taking a lock, is then done where the answer is made.",
	Before: "func (j *Job) MarshalJSON() ([]byte, error) { return json.Marshal(plainJob(*j)) }\n" +
		"json.NewEncoder(w).Encode(jobs) // []*Job",
	After: "type plainJob Job // has the fields, and not the method\n" +
		"json.NewEncoder(w).Encode(plain(jobs)) // []*plainJob",
}
