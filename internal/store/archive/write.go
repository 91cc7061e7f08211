package archive

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

// HostName is how this machine calls itself, for Options.Host.
func HostName() string {
	if name, err := os.Hostname(); err == nil && name != "" {
		return name
	}
	return "unknown"
}

// Options of Write.
type Options struct {
	// Hone is this hone's version, Host the name of this machine.
	Hone, Host string
}

// Summary is what an archive holds.
type Summary struct {
	Runs        []string `json:"runs"`
	Comparisons []string `json:"comparisons,omitempty"`
	// Files counts the artefacts' files, Bytes what they hold.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	// Content is the same for the same runs, whichever version of hone packs them: the SHA-256 of
	// the sorted names of the entries, each with a newline. The names hold the SHA-256 of what is in them.
	Content string `json:"content"`
}

// Write writes an archive of these runs and comparisons and of what belongs to them. One
// that is still running is fail.BadInput; a file of the ledger that is missing or damaged is
// fail.Storage, and what was written until then is of no use.
func Write(w io.Writer, l *ledger.Ledger, wanted []ledger.Ref, o Options) (Summary, error) {
	records, err := collect(l, wanted)
	if err != nil {
		return Summary{}, err
	}
	c := contents{blobs: map[string]func() ([]byte, error){}}
	if err := c.addRecords(records, o.Host); err != nil {
		return Summary{}, err
	}
	c.addBlobs(l, records)
	c.nameContent()
	if err := c.write(w, o.Hone); err != nil {
		return Summary{}, err
	}
	return c.Summary, nil
}

// collect reads the records of what is wanted and of what belongs to it, comparisons first,
// each in the order of their arrival.
func collect(l *ledger.Ledger, wanted []ledger.Ref) ([]*ledger.Record, error) {
	var all []*ledger.Record
	seen := map[ledger.Ref]bool{}
	for len(wanted) > 0 {
		ref := wanted[0]
		wanted = wanted[1:]
		if seen[ref] {
			continue
		}
		seen[ref] = true
		r, err := l.Record(ref)
		if err != nil {
			return nil, err
		}
		if r.Status() == ledger.Running {
			return nil, fail.New(fail.BadInput, "export %v: it is still running", ref).
				WithHint("repeat the command when hone history says that it has ended")
		}
		all = append(all, r)
		if r.Comparison != nil {
			for _, id := range r.Comparison.Runs {
				wanted = append(wanted, ledger.Ref{Kind: ledger.KindRun, ID: id})
			}
		} else if id := r.Run.Comparison; id != "" {
			wanted = append(wanted, ledger.Ref{Kind: ledger.KindComparison, ID: id})
		}
	}
	slices.SortFunc(all, ledger.CompareRecords)
	return all, nil
}

// contents is what goes into an archive.
type contents struct {
	Summary
	entries []Entry
	records map[string][]byte                 // by the name of the entry
	blobs   map[string]func() ([]byte, error) // by the name of the entry
}

// addRecords packs the records. Their places are counted anew, and their origin is the
// machine that measured them: what the ledger has of its own does not travel.
func (c *contents) addRecords(records []*ledger.Record, host string) error {
	c.records = map[string][]byte{}
	places := map[ledger.Kind]int64{}
	for _, r := range records {
		ref := r.Ref()
		origin := ledger.Origin{Host: host}
		if o := r.Origin(); o != nil {
			origin.Host = o.Host
		}
		places[ref.Kind]++
		name, data, err := r.At(places[ref.Kind], &origin).Pack()
		if err != nil {
			return fmt.Errorf("pack %v: %w", ref, err)
		}
		c.records[recordsDir+name] = data
		c.entries = append(c.entries, Entry{recordsDir + name, int64(len(data)), sumOf(data)})
		if ref.Kind == ledger.KindRun {
			c.Runs = append(c.Runs, ref.ID)
		} else {
			c.Comparisons = append(c.Comparisons, ref.ID)
		}
	}
	return nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (c *contents) addBlobs(l *ledger.Ledger, records []*ledger.Record) {
	for _, r := range records {
		for _, a := range blobsOf(r) {
			name := blobEntry(a.SHA256)
			if _, there := c.blobs[name]; there {
				continue
			}
			c.blobs[name] = func() ([]byte, error) { return l.ReadArtefact(a) }
			if a.Kind == "" {
				c.blobs[name] = func() ([]byte, error) { return l.SliceBytes(r) }
			}
			c.entries = append(c.entries, Entry{name, a.Size, a.SHA256})
			c.Files++
			c.Bytes += a.Size
		}
	}
}

// blobEntry is the name of the entry with this SHA-256, as in the directory of a ledger.
func blobEntry(sum string) string { return blobsDir + sum[:2] + "/" + sum[2:] }

// nameContent sorts the entries and sets the summary's Content.
func (c *contents) nameContent() {
	slices.SortFunc(c.entries, compareEntries)
	h := sha256.New()
	for _, e := range c.entries {
		io.WriteString(h, e.Name+"\n") // a hash takes everything
	}
	c.Content = hex.EncodeToString(h.Sum(nil))
}

func (c *contents) write(w io.Writer, version string) error {
	manifest, err := json.MarshalIndent(Manifest{Schema, version, c.entries}, "", " ")
	if err != nil {
		return err
	}
	zip := gzip.NewWriter(w)
	files := tar.NewWriter(zip)
	if err := addFile(files, manifestName, append(manifest, '\n')); err != nil {
		return err
	}
	for _, e := range c.entries {
		data, known := c.records[e.Name]
		if !known {
			if data, err = c.blobs[e.Name](); err != nil {
				return err
			}
		}
		if err := addFile(files, e.Name, data); err != nil {
			return err
		}
	}
	return errors.Join(files.Close(), zip.Close())
}

func addFile(files *tar.Writer, name string, data []byte) error {
	err := files.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: int64(len(data)),
		Format: tar.FormatUSTAR})
	if err == nil {
		_, err = files.Write(data)
	}
	return err
}
