package insight

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

	// Causes are those of a service that waits, or of a pair, the largest first. A control has none in the program.
	Causes  []cause `json:"causes"`
	Control bool    `json:"control"`

	// Of a pair: what changes, how, and by which ratio, next divided by now. A pair whose word is "same" has no cause.
	Measure string             `json:"measure"`
	Word    string             `json:"word"`
	Change  map[string]float64 `json:"change"`
}

// cause is why the slow requests of a service are slow, or one version of a pair costs more than the other.
type cause struct {
	At []spot `json:"at"`

	// Of a service that waits.
	Part     string `json:"part"` // its name in the service's own record
	Category words  `json:"category"`
	Culprit  []spot `json:"culprit"`
	Outside  bool   `json:"outside"` // of what the service can record

	// Of a pair. Ratio is the change by this cause alone; of growth it is bytes per request.
	Side      string  `json:"side"` // now or next: the version with the cost
	Function  string  `json:"function"`
	Ratio     float64 `json:"ratio"`
	Benchmark string  `json:"benchmark"`
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
	case t.Part == "waiting" && (len(t.Load.Rates) == 0 || (len(t.Causes) == 0) != t.Control):
		return errors.New("want rates, and causes or a control")
	case t.Part == "pair" && (claimsOn[t.Measure] == nil || (len(t.Causes) == 0) != (t.Word == same)):
		return fmt.Errorf("measure %q, word %q, %d causes: want a known measure, and causes or %q", t.Measure, t.Word, len(t.Causes), same)
	case t.NearMiss && (t.WhyNot == "" || rulesOf[t.Kind] == nil), !t.NearMiss && t.Part == "" && (len(t.Defect) == 0 || rulesOf[t.Kind] == nil):
		return fmt.Errorf("kind %q: want a known one, and a defect or why_not", t.Kind)
	case t.Load.Connections < 1 && !t.Load.Benchmarks:
		return errors.New("load: want connections")
	}
	var all error
	wants := func(spots []spot, dirs ...string) {
		for _, s := range spots {
			_, err := s.lines(dirs...)
			all = errors.Join(all, err)
		}
	}
	wants(t.Defect, dir)
	for _, c := range t.Causes {
		wants(slices.Concat(c.At, c.Culprit), c.dirs(dir)...)
		for _, word := range c.Category {
			if statesOf[word] == nil {
				all = errors.Join(all, fmt.Errorf("category %q is not known", word))
			}
		}
	}
	return all
}

// dirs are where the files of the version with the cost are, those of the next version before those that it has in common with the
// version of now.
func (c cause) dirs(program string) []string {
	if c.Side == next {
		return []string{filepath.Join(program, next), program}
	}
	return []string{program}
}

// lines are those that have the text, counted from 1; at least one. The first of the directories that has the file counts.
func (s spot) lines(dirs ...string) (at []int, err error) {
	var source []byte
	for _, dir := range dirs {
		if source, err = os.ReadFile(filepath.Join(dir, s.File)); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
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
	return slices.ContainsFunc(spots, func(s spot) bool {
		return strings.HasSuffix("/"+filepath.ToSlash(file), "/"+p.Name+"/"+s.File) && s.isNear(line, p.dir)
	})
}

// isNear says whether a line is one of the spot's, or next to it.
func (s spot) isNear(line int64, dirs ...string) bool {
	lines, err := s.lines(dirs...)
	return err == nil && slices.ContainsFunc(lines, func(l int) bool { d := line - int64(l); return -near <= d && d <= near })
}
