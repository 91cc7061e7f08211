package facts

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// RecordedSchema is that of the document in a recorded view.
const RecordedSchema = "hone.view/1"

// recorded is the document of a recorded view. Beside it the archive has a profile for each kind, KIND.pb.gz, and the
// source files that rules read, under src/.
type recorded struct {
	Schema  string           `json:"schema"`
	Run     string           `json:"run"`
	Compare string           `json:"compare,omitempty"`
	Code    prof.Code        `json:"code"`
	Waits   *walltime.Digest `json:"waits,omitempty"`
	Numbers Numbers          `json:"numbers"`
	Holder  *holders.Holder  `json:"holder,omitempty"`
	Build   Build            `json:"build"`
}

const (
	recordedDocument = "view.json"
	recordedSource   = "src/"
	recordedProfile  = ".pb.gz"
)

// Save writes what the rules looked at as a zip archive, after Find. Source paths are those below the module, as with
// -trimpath: where the program was built is not in it.
func (v *View) Save(w io.Writer) error {
	z := zip.NewWriter(w)
	waits := v.Waits
	if waits != nil {
		whole := *waits
		whole.Slowest = nil // single requests; no rule reads them
		waits = trimDigest(&whole, v.Trim)
	}
	holder := v.Holder
	if holder != nil {
		trimmed := *holder
		trimmed.File, holder = v.Trim(trimmed.File), &trimmed
	}
	doc, err := json.MarshalIndent(recorded{
		Schema: RecordedSchema, Run: v.Run, Compare: v.Compare, Code: v.Code, Waits: waits, Numbers: v.Numbers,
		Holder: holder, Build: v.Build,
	}, "", " ")
	if err != nil {
		return fmt.Errorf("encode view: %w", err)
	}
	put := func(name string, write func(io.Writer) error) {
		if err != nil {
			return
		}
		var to io.Writer
		if to, err = z.Create(name); err == nil {
			err = write(to)
		}
	}
	put(recordedDocument, func(w io.Writer) error { _, err := w.Write(doc); return err })
	for _, kind := range slices.Sorted(maps.Keys(v.Captures)) {
		c := v.Captures[kind]
		c.Profile = trimProfile(c.Profile, v.Trim)
		put(kind+recordedProfile, c.Write)
	}
	v.EachRead(func(name string, text []byte) {
		put(recordedSource+v.Trim(name), func(w io.Writer) error { _, err := w.Write(text); return err })
	})
	if err != nil {
		return fmt.Errorf("write view: %w", err)
	}
	return z.Close()
}

// trimProfile is a copy with trimmed paths and without what only the machine that it is of knows.
func trimProfile(p *profile.Profile, trim func(string) string) *profile.Profile {
	p = p.Copy()
	for _, f := range p.Function {
		f.Filename = trim(f.Filename)
	}
	for _, m := range p.Mapping {
		m.File = path.Base(m.File)
	}
	return p.Compact()
}

func trimDigest(d *walltime.Digest, trim func(string) string) *walltime.Digest {
	d.Cohorts, d.Endpoints = slices.Clone(d.Cohorts), slices.Clone(d.Endpoints) // the digest of the view stays as it is
	for i := range d.Cohorts {
		trimCohort(&d.Cohorts[i], trim)
	}
	for i := range d.Endpoints {
		e := &d.Endpoints[i]
		trimCohort(&e.Typical, trim)
		trimCohort(&e.Slow, trim)
		e.Causes = trimCauses(e.Causes, trim)
	}
	d.Causes = trimCauses(d.Causes, trim)
	d.Origins = slices.Clone(d.Origins)
	for i := range d.Origins {
		d.Origins[i].File = trim(d.Origins[i].File)
	}
	return d
}

func trimCohort(c *walltime.Cohort, trim func(string) string) {
	c.Parts, c.Statements = slices.Clone(c.Parts), slices.Clone(c.Statements)
	for i := range c.Parts {
		trimLabel(&c.Parts[i].Label, trim)
	}
	for i := range c.Statements {
		s := &c.Statements[i]
		s.File = trim(s.File)
		if s.Transaction != nil {
			t := *s.Transaction
			t.Meanwhile.File = trim(t.Meanwhile.File)
			s.Transaction = &t
		}
	}
}

func trimCauses(causes []walltime.Cause, trim func(string) string) []walltime.Cause {
	causes = slices.Clone(causes)
	for i := range causes {
		trimLabel(&causes[i].Label, trim)
	}
	return causes
}

func trimLabel(l *walltime.Label, trim func(string) string) {
	l.File = trim(l.File)
	if l.Behind != nil {
		behind := *l.Behind
		behind.File = trim(behind.File)
		l.Behind = &behind
	}
}

// mostRecorded bounds a file in a recorded view.
const mostRecorded = 32 << 20

// ReadView reads what Save wrote.
func ReadView(data []byte) (*View, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("read view: %w", err)
	}
	v := &View{Captures: map[string]prof.Capture{}}
	sources := map[string][]byte{}
	for _, f := range z.File {
		text, err := readEntry(f)
		if err == nil {
			err = v.take(f.Name, text, sources)
		}
		if err != nil {
			return nil, fmt.Errorf("read view: %s: %w", f.Name, err)
		}
	}
	v.ReadFrom(sources)
	return v, nil
}

func (v *View) take(name string, text []byte, sources map[string][]byte) error {
	if name == recordedDocument {
		var d recorded
		if err := json.Unmarshal(text, &d); err != nil {
			return err
		}
		if d.Schema != RecordedSchema {
			return fmt.Errorf("it is of schema %q, want %q", d.Schema, RecordedSchema)
		}
		v.Run, v.Compare, v.Code, v.Waits, v.Numbers, v.Holder, v.Build = d.Run, d.Compare, d.Code, d.Waits, d.Numbers,
			d.Holder, d.Build
		return nil
	}
	if file, ok := strings.CutPrefix(name, recordedSource); ok {
		sources[file] = text
		return nil
	}
	if kind, ok := strings.CutSuffix(name, recordedProfile); ok {
		c, err := prof.ReadCapture(bytes.NewReader(text), prof.Limits{})
		c.Kind = kind
		v.Captures[kind] = c
		return err
	}
	return nil
}

func readEntry(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, mostRecorded+1))
	if err == nil && len(text) > mostRecorded {
		err = fmt.Errorf("it is larger than %d MB", mostRecorded>>20)
	}
	return text, err
}
