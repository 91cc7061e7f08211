package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// Report is what Verify found.
type Report struct {
	Runs        int `json:"runs"`
	Comparisons int `json:"comparisons"`
	Slices      int `json:"slices"`
	Artefacts   int `json:"artefacts"`
	Measures    int `json:"measures"`
	Baselines   int `json:"baselines"`
	// Blobs counts the files of artefacts that were checked, Bytes what they hold.
	Blobs int   `json:"blobs"`
	Bytes int64 `json:"bytes"`
	// Faults is the damage, one entry for each part of a run that it touches.
	Faults []Fault `json:"faults,omitempty"`
	// Orphans are artefacts and slices that no run has: a crash between file and record
	// leaves one, a killed import several. They cost space and nothing else.
	Orphans []string `json:"orphans,omitempty"`
}

// Fault is one piece of damage.
type Fault struct {
	// Run, Kind and Name say whose artefact it is. Kind is "record", "slices" or "comparison" for
	// those; Run is empty for damage of files that no run names.
	Run  string `json:"run,omitempty"`
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
	// File is the damaged file.
	File string `json:"file"`
	// Detail says what is wrong with it.
	Detail string `json:"detail"`

	inside string // File below the directory of the ledger
}

// The kinds of faults that are not of an artefact.
const (
	faultRecord  = "record"
	faultSlices  = "slices"
	faultMissing = "comparison"
)

// String is one line for people.
func (f Fault) String() string {
	switch {
	case f.Run == "":
		return fmt.Sprintf("%s: %s", f.File, f.Detail)
	case f.Name == "":
		return fmt.Sprintf("%s of %s: file %s: %s", f.Kind, f.Run, f.File, f.Detail)
	}
	return fmt.Sprintf("%v: file %s: %s", Artefact{Run: f.Run, Kind: f.Kind, Name: f.Name}, f.File, f.Detail)
}

// Err is nil for a sound ledger, else a fail.Storage error with all faults.
func (r Report) Err() error {
	if len(r.Faults) == 0 {
		return nil
	}
	text := ""
	for _, f := range r.Faults {
		text += "\n  " + f.String()
	}
	return fail.New(fail.Storage, "verify ledger: %d faults:%s", len(r.Faults), text).
		WithHint("put the files back from a backup, or %s; runs that are not named here are sound", repairHint)
}

// Verify reads every record, every file that one names, and every other file of the ledger, and checks
// each against its checksum. Damage is in the report; the error is for what kept Verify from looking.
func (l *Ledger) Verify(ctx context.Context) (Report, error) {
	v := &verifier{ctx: ctx, l: l, home: l.home, records: map[string]*Record{}, named: map[string]bool{},
		verdicts: map[Artefact]error{}}
	err := v.verify()
	return v.Report, storage(l.dir, err, "verify ledger %s", l.dir)
}

// verifier is the work of one Verify.
type verifier struct {
	Report
	ctx      context.Context
	l        *Ledger
	home     *storedir.Dir
	records  map[string]*Record // those that are whole
	named    map[string]bool    // files that a record names
	verdicts map[Artefact]error // of blobs, by sum and size
}

func (v *verifier) verify() error {
	// Files before records: what an active writer adds meanwhile has a record by then.
	blobs, err := listBlobs(v.home)
	if err != nil {
		return err
	}
	names, err := v.home.Names(recordsName)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if err := v.verifyEntry(name); err != nil {
			return err
		}
	}
	for _, name := range names {
		if id, ok := recordID(name, slicesSuffix); ok {
			v.verifyOwner(id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.records)) {
		v.verifyFamily(v.records[id])
	}
	v.verifyBaselines()
	return v.verifyOrphans(blobs)
}

func (v *verifier) add(f Fault, file string, format string, args ...any) {
	f.inside, f.File, f.Detail = file, v.home.Join(file), fmt.Sprintf(format, args...)
	v.Faults = append(v.Faults, f)
}

// verifyEntry checks one file of records and all that it names.
func (v *verifier) verifyEntry(name string) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	id, ok := recordID(name, headSuffix)
	if !ok {
		if _, ok := recordID(name, slicesSuffix); !ok {
			v.add(Fault{}, path.Join(recordsName, name), "this is not a record")
		}
		return nil
	}
	r, err := readRecord(v.home, id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // removed meanwhile
	case err != nil:
		v.add(Fault{Run: id, Kind: faultRecord}, headName(id), "%v", err)
		return nil
	}
	v.records[id] = r
	if r.Comparison != nil {
		v.Comparisons++
		return nil
	}
	v.Runs++
	v.Measures += len(r.Measures)
	v.verifySlices(r)
	for _, a := range r.Artefacts {
		v.verifyArtefact(a)
	}
	return nil
}

func (v *verifier) verifySlices(r *Record) {
	all, err := v.l.slicesOf(r)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("missing")
	}
	if err != nil {
		v.add(Fault{Run: r.Run.ID, Kind: faultSlices}, slicesName(r.Run.ID), "%v", err)
	}
	v.Slices += len(all)
}

// verifyArtefact reads the file of an artefact, once for all that have it.
func (v *verifier) verifyArtefact(a Artefact) {
	v.Artefacts++
	content := Artefact{SHA256: a.SHA256, Size: a.Size}
	verdict, read := v.verdicts[content]
	if !read {
		_, verdict = readBlob(v.home, a.SHA256, a.Size)
		v.verdicts[content] = verdict
		v.Blobs++
		v.Bytes += a.Size
	}
	name, _ := BlobName(a.SHA256)
	v.named[name] = true
	if errors.Is(verdict, fs.ErrNotExist) {
		verdict = errors.New("missing")
	}
	if verdict != nil {
		v.add(Fault{Run: a.Run, Kind: a.Kind, Name: a.Name}, name, "%v", verdict)
	}
}

// verifyOwner looks for the record of slices.
func (v *verifier) verifyOwner(id string) {
	if _, err := v.home.Stat(headName(id)); errors.Is(err, fs.ErrNotExist) {
		v.Orphans = append(v.Orphans, v.home.Join(slicesName(id)))
	}
}

// verifyFamily wants the comparison of a run.
func (v *verifier) verifyFamily(r *Record) {
	if r.Run == nil || r.Run.Comparison == "" || v.records[r.Run.Comparison] != nil {
		return
	}
	name := headName(r.Run.Comparison)
	if _, err := v.home.Stat(name); errors.Is(err, fs.ErrNotExist) {
		v.add(Fault{Run: r.Run.ID, Kind: faultMissing}, name, "missing: run %s is of that comparison", r.Run.ID)
	}
}

func (v *verifier) verifyBaselines() {
	all, err := readBaselines(v.home)
	if err != nil {
		v.add(Fault{}, baselinesName, "%v", err)
	}
	for _, b := range all {
		v.Baselines++
		if r := v.records[b.Run]; r == nil || r.Run == nil {
			v.add(Fault{}, baselinesName, "baseline %q is run %s, which is not there", b.Name, b.Run)
		}
	}
}

// verifyOrphans checks the files that no record names against their names.
func (v *verifier) verifyOrphans(blobs []blobFile) error {
	for _, f := range blobs {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		if v.named[f.name] {
			continue
		}
		v.Orphans = append(v.Orphans, v.home.Join(f.name))
		v.Blobs++
		v.Bytes += f.size
		if _, err := readBlob(v.home, f.sum, f.size); err != nil {
			v.add(Fault{}, f.name, "%v", err)
		}
	}
	return nil
}

type blobFile struct {
	name, sum string
	size      int64
}

// listBlobs lists all files under blobs.
func listBlobs(home *storedir.Dir) (all []blobFile, err error) {
	err = home.Walk("blobs", func(name string, info fs.FileInfo) {
		sum := path.Base(path.Dir(name)) + path.Base(name)
		all = append(all, blobFile{name: name, sum: sum, size: info.Size()})
	})
	return all, ignoreMissing(err)
}
