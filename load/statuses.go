package load

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/units"
)

// mostStatuses is how many statuses are told apart.
const mostStatuses = 16

// Statuses counts the answers of the cause WrongStatus by their Answer.Code: the first 16
// codes each by itself, all further ones together. The zero value is empty. Values are
// copied and compared as numbers are.
type Statuses struct {
	first [mostStatuses]Status // without gaps, in the order in which they came
	other uint64
}

// Status is how many answers had a code. A code of 0 stands for answers without one.
type Status struct {
	Code  uint16
	Count uint64
}

// Add counts n answers with a code.
func (s *Statuses) Add(code uint16, n uint64) {
	if n == 0 {
		return
	}
	for i := range s.first {
		f := &s.first[i]
		if f.Count == 0 {
			f.Code = code
		}
		if f.Code == code {
			f.Count += n
			return
		}
	}
	s.other += n
}

// Merge adds what o has counted.
func (s *Statuses) Merge(o Statuses) {
	for _, f := range o.first {
		s.Add(f.Code, f.Count)
	}
	s.other += o.other
}

// All lists the statuses, the most frequent first, and the number of answers with others.
func (s Statuses) All() (all []Status, other uint64) {
	for _, f := range s.first {
		if f.Count > 0 {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, byCount)
	return all, s.other
}

// byCount orders statuses, the most frequent first.
func byCount(x, y Status) int {
	return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Code, y.Code))
}

// String lists them: "404: 4,300; 500: 100". It is empty if there are none.
func (s Statuses) String() string {
	all, other := s.All()
	var words []string
	for _, f := range all {
		words = append(words, CodeName(f.Code)+": "+units.Count(f.Count))
	}
	if other > 0 {
		words = append(words, "other statuses: "+units.Count(other))
	}
	return strings.Join(words, "; ")
}

// Of is what the list of causes adds behind the count of the one with this name: " (404:
// 4,300; 500: 100)" where it is about statuses, else nothing.
func (s Statuses) Of(cause string) string {
	if text := s.String(); text != "" && cause == WrongStatus.String() {
		return " (" + text + ")"
	}
	return ""
}

// otherKey is the key of further statuses in JSON.
const otherKey = "other"

// MarshalJSON writes an object of codes and counts: {"404": 4300, "500": 100}. An
// error of RESP has its word as key.
func (s Statuses) MarshalJSON() ([]byte, error) {
	all, other := s.All()
	object := map[string]uint64{}
	for _, f := range all {
		object[codeKey(f.Code)] = f.Count
	}
	if other > 0 {
		object[otherKey] = other
	}
	return json.Marshal(object)
}

// UnmarshalJSON reads what MarshalJSON writes. Codes beyond the 16 most frequent ones
// count as others.
func (s *Statuses) UnmarshalJSON(text []byte) error {
	var object map[string]uint64
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	var all []Status
	*s = Statuses{}
	for key, n := range object {
		if key == otherKey {
			s.other += n
			continue
		}
		code, err := codeOf(key)
		if err != nil {
			return err
		}
		all = append(all, Status{code, n})
	}
	slices.SortFunc(all, byCount)
	for _, f := range all {
		s.Add(f.Code, f.Count)
	}
	return nil
}
