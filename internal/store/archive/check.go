package archive

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
)

// checkName accepts the names that Write gives.
func checkName(name string) error {
	switch {
	case strings.HasPrefix(name, "/"):
		return errors.New("it is an absolute path")
	case slices.Contains(strings.Split(name, "/"), ".."):
		return errors.New("it leads out of the archive")
	case isRecord(name) && ledger.IsRecordName(strings.TrimPrefix(name, recordsDir)):
		return nil
	case sumOfBlob(name) != "":
		return nil
	}
	return errors.New("hone gives no such name to a file of an archive")
}

// sumOfBlob is the SHA-256 in the name of a blob's entry, "" if it is none.
func sumOfBlob(name string) string {
	sum := strings.ReplaceAll(strings.TrimPrefix(name, blobsDir), "/", "")
	if own, err := ledger.BlobName(sum); err == nil && own == name {
		return sum
	}
	return ""
}

// check refuses a manifest that Write cannot have written.
func (m Manifest) check(limits Limits) error {
	if len(m.Entries) == 0 {
		return refused(manifestName, "it has no entries")
	}
	if len(m.Entries) > limits.Entries {
		return refusal("it has %d entries, more than %d", len(m.Entries), limits.Entries)
	}
	var total int64
	for i, e := range m.Entries {
		if err := checkName(e.Name); err != nil {
			return refused(e.Name, "%w", err)
		}
		if e.Size < 0 || e.Size > limits.Entry {
			return refused(e.Name, "it has %d bytes, and may have %d", e.Size, limits.Entry)
		}
		if total += e.Size; total > limits.Total {
			return refusal("its entries have over %d bytes", limits.Total)
		}
		if sum := sumOfBlob(e.Name); sum != "" && sum != e.SHA256 {
			return refused(e.Name, "its name is not its SHA-256, which is %.80q", e.SHA256)
		}
		if i > 0 && compareEntries(m.Entries[i-1], e) >= 0 {
			return refused(e.Name, "it is there twice or in the wrong place in the manifest")
		}
	}
	return nil
}

// checker holds records and blobs against each other. Records come first.
type checker struct {
	records []*ledger.Record
	left    int64 // what further records and their slices may hold
	// unread are the blobs that records refer to and that have not come yet, with their
	// sizes. It is made when the last record is there.
	unread map[string]int64
}

// addRecord decodes one record.
func (c *checker) addRecord(e Entry, data []byte) error {
	r, err := ledger.DecodeRecord(path.Base(e.Name), data)
	if err != nil {
		return refused(e.Name, "%w", err)
	}
	if c.left -= e.Size + r.Slices.Size; c.left < 0 {
		return refused(e.Name, "the records and their slices have too many bytes")
	}
	if o := r.Origin(); o == nil || o.Host == "" || len(o.Host) > maxHost || !o.Imported.IsZero() {
		return refused(e.Name, "it does not say where it was measured")
	}
	c.records = append(c.records, r)
	return nil
}

// maxHost is the longest name of a machine: HOST_NAME_MAX of POSIX is at least 255.
const maxHost = 255

// wantBlob accepts a blob that a record refers to.
func (c *checker) wantBlob(e Entry) error {
	if err := c.checkRecords(); err != nil {
		return err
	}
	size, wanted := c.unread[e.SHA256]
	switch {
	case !wanted:
		return refused(e.Name, "no run has this file")
	case size != e.Size:
		return refused(e.Name, "it has %d bytes, in the record of its run %d", e.Size, size)
	}
	delete(c.unread, e.SHA256)
	return nil
}

// finish makes sure that nothing is missing.
func (c *checker) finish() error {
	if err := c.checkRecords(); err != nil {
		return err
	}
	for sum := range c.unread {
		return refused(blobEntry(sum), "a run has this file, and it is not in the archive")
	}
	return nil
}

// checkRecords holds the records against each other and lists the blobs that they need, once.
func (c *checker) checkRecords() error {
	if c.unread != nil {
		return nil
	}
	slices.SortStableFunc(c.records, ledger.CompareRecords)
	members := map[string][]string{} // the runs that name a comparison as theirs
	seen, places := map[string]bool{}, map[ledger.Ref]bool{}
	c.unread = map[string]int64{}
	for _, r := range c.records {
		ref := r.Ref()
		place := ledger.Ref{Kind: ref.Kind, ID: fmt.Sprint(r.Seq)}
		if seen[ref.ID] || places[place] {
			return refusal("%v: its name or its place is there twice", ref)
		}
		seen[ref.ID], places[place] = true, true
		if r.Run != nil && r.Run.Comparison != "" {
			members[r.Run.Comparison] = append(members[r.Run.Comparison], ref.ID)
		}
		for _, b := range blobsOf(r) {
			if size, twice := c.unread[b.SHA256]; twice && size != b.Size {
				return refusal("%v of %v: its size is %d and %d", b.Name, ref, size, b.Size)
			}
			c.unread[b.SHA256] = b.Size
		}
	}
	for _, r := range c.records {
		if r.Comparison == nil {
			continue
		}
		if id := r.Comparison.ID; !slices.Equal(r.Comparison.Runs, members[id]) {
			return refusal("comparison %s is of other runs than its record says", id)
		}
		delete(members, r.Comparison.ID)
	}
	for id, runs := range members {
		return refusal("run %s is of comparison %s, which is not there", runs[0], id)
	}
	return nil
}

// blobsOf are the files that a record refers to, as artefacts: its slices are one.
func blobsOf(r *ledger.Record) []ledger.Artefact {
	all := slices.Clone(r.Artefacts)
	if r.Slices.Size > 0 {
		all = append(all, ledger.Artefact{Run: r.Run.ID, Name: "slices", SHA256: r.Slices.SHA256, Size: r.Slices.Size})
	}
	return all
}
