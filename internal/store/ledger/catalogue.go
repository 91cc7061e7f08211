package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// catalogue is what is known of all records without reading their files again: the records without
// their documents. It is made from the index and the list of the files. A record that has ended
// does not change, so its name says that what the index has of it is right.
type catalogue struct {
	records map[string]*Record // by id
	faults  map[string]error   // by id: why its file could not be read
	order   map[Kind][]*Record // the newest first; nil where it has to be made anew
	stamp   time.Time          // of the directory when it was listed
	listed  time.Time          // when that was
	fresh   int                // ended records that the index does not have
}

// readCatalogue lists the records, and reads the files of those that have ended only
// where old does not know them.
func readCatalogue(home *storedir.Dir, old *catalogue) (*catalogue, error) {
	c := &catalogue{records: map[string]*Record{}, faults: map[string]error{}, listed: time.Now(), fresh: old.fresh}
	info, err := home.StatDir(recordsName)
	if err != nil {
		return nil, err
	}
	c.stamp = info.ModTime()
	names, err := home.Names(recordsName)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, ok := recordID(name, headSuffix)
		if !ok {
			continue // its slices; what is strange there, Verify names
		}
		if r := old.records[id]; r != nil && r.ended() {
			c.records[id] = r
			if err := old.faults[id]; err != nil {
				c.faults[id] = err // found when its document was read
			}
		} else if err := c.read(home, id); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// read reads one record. Only one of another schema is an error.
func (c *catalogue) read(home *storedir.Dir, id string) error {
	r, err := readRecord(home, id)
	var other *otherSchema
	switch {
	case errors.As(err, &other):
		return anotherSchema(home.Path(), other)
	case errors.Is(err, fs.ErrNotExist): // removed meanwhile
	case err != nil:
		c.faults[id] = err
	default:
		c.put(r)
	}
	return nil
}

func anotherSchema(dir string, other *otherSchema) error {
	return fail.New(fail.Storage, "open ledger %s: %w", dir, other).
		WithHint("use the hone that wrote it, or another directory for the ledger; nothing was changed")
}

// put adds a record, or replaces the one that has not ended.
func (c *catalogue) put(r *Record) {
	bare := *r
	bare.Doc = ""
	c.records[r.Ref().ID] = &bare
	c.order = nil
	delete(c.faults, r.Ref().ID)
	if r.ended() {
		c.fresh++
	}
}

// remove takes a record out whose file is gone.
func (c *catalogue) remove(id string) {
	delete(c.records, id)
	delete(c.faults, id)
	c.order = nil
}

// taken says whether an id is in use.
func (c *catalogue) taken(id string) bool { return c.records[id] != nil || c.faults[id] != nil }

// all are the records of one kind, the newest first.
func (c *catalogue) all(kind Kind) []*Record {
	if c.order == nil {
		c.order = map[Kind][]*Record{}
		for _, r := range c.records {
			c.order[r.Ref().Kind] = append(c.order[r.Ref().Kind], r)
		}
		for _, list := range c.order {
			slices.SortFunc(list, newestFirst)
		}
	}
	return c.order[kind]
}

// newestFirst orders records by their arrival.
func newestFirst(a, b *Record) int {
	return cmp.Or(cmp.Compare(b.Seq, a.Seq), strings.Compare(a.Ref().ID, b.Ref().ID))
}

// lastSeq is the last place in the order of arrival.
func (c *catalogue) lastSeq() (last int64) {
	for _, r := range c.records {
		last = max(last, r.Seq)
	}
	return last
}

// settled is how long after a change the time of a directory can be relied on: most file systems count it in steps of
// up to 10 ms, and those that count whole seconds in steps of up to two.
func settled(stamp time.Time) time.Duration {
	if stamp.Nanosecond() == 0 {
		return 2 * time.Second
	}
	return 20 * time.Millisecond
}

// current is the catalogue as it is now. A writer has made all changes itself; a reader looks for those of a writer.
// l.mu is held.
func (l *Ledger) current() (*catalogue, error) {
	info, err := l.home.StatDir(recordsName)
	if err != nil {
		return nil, storage(l.dir, err, "list records of %s", l.dir)
	}
	k := l.known
	if l.lock != nil || info.ModTime().Equal(k.stamp) && k.listed.Sub(k.stamp) > settled(k.stamp) {
		return k, nil
	}
	if l.known, err = readCatalogue(l.home, k); err != nil {
		l.known = k
		return nil, storage(l.dir, err, "list records of %s", l.dir)
	}
	return l.known, nil
}

// list are the records of one kind, the newest first. They must not be changed.
func (l *Ledger) list(kind Kind) ([]*Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.current()
	if err != nil {
		return nil, err
	}
	return c.all(kind), nil
}

// runEntry is the record of the run with this id or prefix, or name, without its document.
func (l *Ledger) runEntry(run string) (*Record, error) {
	ref, err := l.resolve(run, KindRun)
	if err != nil {
		return nil, err
	}
	return l.entry(ref)
}

// entry is the record of ref without its document.
func (l *Ledger) entry(ref Ref) (*Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.current()
	if err != nil {
		return nil, err
	}
	r := c.records[ref.ID]
	if r == nil || r.Ref() != ref {
		return nil, fail.New(fail.BadInput, "there is no %v", ref).WithHint("hone history")
	}
	return c.withRuns(r), nil
}

// withRuns gives a comparison the ids of its runs, in the order they began.
func (c *catalogue) withRuns(r *Record) *Record {
	if r.Comparison == nil {
		return r
	}
	r = r.clone()
	r.Comparison.Runs = append([]string{}, c.runsOf()[r.Comparison.ID]...)
	return r
}

// runsOf are the ids of the runs of each comparison, in the order they began.
func (c *catalogue) runsOf() map[string][]string {
	runs := map[string][]string{}
	for _, r := range slices.Backward(c.all(KindRun)) {
		if of := r.Run.Comparison; of != "" {
			runs[of] = append(runs[of], r.Run.ID)
		}
	}
	return runs
}

// Damage names the records that cannot be read; nil if there are none. All others are shown.
func (l *Ledger) Damage() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := ""
	for _, id := range slices.Sorted(maps.Keys(l.known.faults)) {
		text += fmt.Sprintf("\n  %s: %v", l.home.Join(headName(id)), l.known.faults[id])
	}
	if text == "" {
		return nil
	}
	return fail.New(fail.Storage, "%d records of the ledger are damaged, all others are shown:%s", len(l.known.faults),
		text).
		WithHint("%s", repairHint)
}
