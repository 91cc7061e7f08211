package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

// Archive is what Read has read and checked.
type Archive struct {
	Manifest Manifest
	// Records are as the archive has them: each at its place in it.
	Records []*ledger.Record
	blobs   staging
}

// Blob opens the bytes with this SHA-256. They are there until the directory given to
// Read is removed.
func (a *Archive) Blob(sum string) (io.ReadCloser, error) { return a.blobs.open(sum) }

// Read reads an archive and checks all of it before it returns; the blobs are kept in the
// empty directory dir meanwhile, and nothing is written elsewhere. It accepts what Write
// writes and refuses the rest, with fail.BadInput: other types of entries than plain files
// (links, devices, pipes, directories, extended headers, sparse files), other names than
// Write gives (so no .. and no absolute path), another order, a second entry of a name,
// entries that the manifest does not have and the other way round, other sizes and hashes,
// records that no ledger could have finished or that refer to what is not there, anything
// after the end, and what is over the limits. Of what it unpacks it has the records in
// memory, and at most 64 kB of all else. fail.Storage: dir is full.
func Read(r io.Reader, dir string, limits Limits) (*Archive, error) {
	files, err := newReader(r, limits)
	if err != nil {
		return nil, err
	}
	a := &Archive{blobs: staging(dir)}
	if a.Manifest, err = readManifest(files, limits); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, e := range a.Manifest.Entries {
		known[e.Name] = true
	}
	c := &checker{left: limits.Records}
	for _, e := range a.Manifest.Entries {
		if err := files.next(e, known); err != nil {
			return nil, err
		}
		if err := a.take(files, e, c); err != nil {
			return nil, err
		}
	}
	if err := files.end(known); err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	a.Records = c.records
	return a, nil
}

// take reads the content of the entry e.
func (a *Archive) take(files *reader, e Entry, c *checker) error {
	if !isRecord(e.Name) {
		if err := c.wantBlob(e); err != nil {
			return err
		}
		return a.blobs.store(files, e)
	}
	data, err := files.content(e)
	if err != nil {
		return err
	}
	return c.addRecord(e, data)
}

// manifestBytes is more than an entry takes in the manifest.
const manifestBytes = 320

// readManifest reads the first entry and checks all that it says by itself.
func readManifest(files *reader, limits Limits) (m Manifest, err error) {
	header, err := files.header(nil)
	if errors.Is(err, io.EOF) {
		err = refusal("it is empty")
	}
	if err != nil {
		return m, err
	}
	if header.Name != manifestName {
		return m, refused(header.Name, "the first entry has to be %s", manifestName)
	}
	if header.Size > int64(limits.Entries+1)*manifestBytes {
		return m, refused(manifestName, "it has %d bytes, too many for %d entries", header.Size, limits.Entries)
	}
	text, err := io.ReadAll(files)
	if err != nil {
		return m, files.fault(manifestName, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, refused(manifestName, "%w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, refused(manifestName, "there is more after the JSON")
	}
	if m.Schema != Schema {
		return m, fail.New(fail.BadInput, "read archive: its schema is %.40q, and this hone reads %s", m.Schema,
			Schema).
			WithHint("nothing was written; use the hone that made it (%.40q), or a newer one", m.Hone)
	}
	return m, m.check(limits)
}

// newReader opens the two layers of an archive.
func newReader(r io.Reader, limits Limits) (*reader, error) {
	packed := &counter{r: bufio.NewReader(r)}
	zip, err := gzip.NewReader(packed)
	if err != nil {
		return nil, refusal("it is not gzip: %w", err)
	}
	zip.Multistream(false)
	plain := &bounded{r: zip, packed: packed, limits: limits}
	return &reader{files: tar.NewReader(plain), plain: plain, packed: packed}, nil
}
