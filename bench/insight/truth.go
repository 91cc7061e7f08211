package insight

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// truth is what is true of a program. The README of the corpus says what each field of truth.json means.
type truth struct {
	Part  string `json:"part"` // "waiting" or "pair"; empty for a program with a defect and for a near miss
	Kind  string `json:"kind"`
	About string `json:"about"`
	Load  load   `json:"load"`

	Defect   []spot             `json:"defect"`
	Repair   string             `json:"repair"`
	Gain     map[string]float64 `json:"gain"`
	NearMiss bool               `json:"near_miss"`
	WhyNot   string             `json:"why_not"`

	// Of a service that waits. A control has no cause in the program.
	Causes  []cause `json:"causes"`
	Control bool    `json:"control"`
}

// spot is a line of a program by its text, without the white space around it.
type spot struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// words are a word of JSON or a list of them.
type words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(text []byte) error {
	if strings.HasPrefix(string(text), "[") {
		return json.Unmarshal(text, (*[]string)(w))
	}
	*w = make(words, 1)
	return json.Unmarshal(text, &(*w)[0])
}

// check says what keeps the truth of the program in dir from being judged.
func (t *truth) check(dir string) error {
	switch {
	case t.Part != "" && (len(t.Load.Rates) == 0 || (len(t.Causes) == 0) != t.Control):
		return errors.New("want rates, and causes or a control")
	case t.NearMiss && (t.WhyNot == "" || rulesOf[t.Kind] == nil), !t.NearMiss && t.Part == "" && (len(t.Defect) == 0 || rulesOf[t.Kind] == nil):
		return fmt.Errorf("kind %q: want a known one, and a defect or why_not", t.Kind)
	case t.Load.Connections < 1:
		return errors.New("load: want connections")
	}
	var all error
	spots := slices.Clone(t.Defect)
	for _, c := range t.Causes {
		spots = append(append(spots, c.At...), c.Culprit...)
		for _, word := range c.Category {
			if statesOf[word] == nil {
				all = errors.Join(all, fmt.Errorf("category %q is not known", word))
			}
		}
	}
	for _, s := range spots {
		_, err := s.lines(dir)
		all = errors.Join(all, err)
	}
	return all
}

// lines are those that have the text, counted from 1; at least one.
func (s spot) lines(dir string) (at []int, err error) {
	source, err := os.ReadFile(filepath.Join(dir, s.File))
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(source), "\n") {
		if strings.TrimSpace(line) == strings.TrimSpace(s.Text) {
			at = append(at, i+1)
		}
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("%s has no line %q", s.File, s.Text)
	}
	return at, nil
}

// near is how many lines hone may be away from a line: a statement of several lines is one place.
const near = 2

// at says whether one of the spots of the program is at a place, whose file is a path that ends as the spot's does.
func (p *program) at(spots []spot, file string, line int64) bool {
	for _, s := range spots {
		lines, err := s.lines(p.dir)
		if err != nil || !strings.HasSuffix("/"+filepath.ToSlash(file), "/"+p.Name+"/"+s.File) {
			continue
		}
		for _, l := range lines {
			if d := line - int64(l); -near <= d && d <= near {
				return true
			}
		}
	}
	return false
}
