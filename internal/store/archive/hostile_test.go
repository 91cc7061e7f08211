package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
)

// part is an entry of an archive that a test takes apart.
type part struct {
	header tar.Header
	data   []byte
}

// takeApart lists the entries: the manifest, two records of runs, one of their comparison,
// blobs.
func takeApart(t testing.TB, data []byte) (parts []part) {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(data))
	must(t, err)
	files := tar.NewReader(zip)
	for {
		h, err := files.Next()
		if err == io.EOF {
			return parts
		}
		must(t, err)
		data, err := io.ReadAll(files)
		must(t, err)
		parts = append(parts, part{*h, data})
	}
}

// putTogether is the inverse of takeApart.
func putTogether(t testing.TB, parts []part) []byte {
	t.Helper()
	return zipped(t, tarOf(t, parts))
}

func tarOf(t testing.TB, parts []part) []byte {
	t.Helper()
	var b bytes.Buffer
	files := tar.NewWriter(&b)
	for _, p := range parts {
		if p.header.Typeflag == tar.TypeReg {
			p.header.Size = int64(len(p.data))
		}
		must(t, files.WriteHeader(&p.header))
		if p.header.Size > 0 {
			_, err := files.Write(p.data)
			must(t, err)
		}
	}
	must(t, files.Close())
	return b.Bytes()
}

func zipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	_, err := zip.Write(data)
	must(t, err)
	must(t, zip.Close())
	return b.Bytes()
}

// file is a plain entry.
func file(name, text string) part {
	return part{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Format: tar.FormatUSTAR}, []byte(text)}
}

// withManifest changes the manifest.
func withManifest(t testing.TB, parts []part, change func(*Manifest)) []part {
	t.Helper()
	var m Manifest
	must(t, json.Unmarshal(parts[0].data, &m))
	change(&m)
	text, err := json.Marshal(m)
	must(t, err)
	return append([]part{file(manifestName, string(text))}, parts[1:]...)
}

// relisted makes the manifest fit the parts.
func relisted(t testing.TB, parts []part) []part {
	return withManifest(t, parts, func(m *Manifest) {
		m.Entries = nil
		for _, p := range parts[1:] {
			m.Entries = append(m.Entries, Entry{p.header.Name, int64(len(p.data)), sumOf(p.data)})
		}
	})
}

// withRecord changes the record of the entry i, whose name and manifest then fit it.
func withRecord(t testing.TB, parts []part, i int, change func(*ledger.Record)) []part {
	t.Helper()
	r, err := ledger.DecodeRecord(filepath.Base(parts[i].header.Name), parts[i].data)
	must(t, err)
	change(r)
	name, data, err := r.Pack()
	must(t, err)
	parts[i] = file(recordsDir+name, string(data))
	slices.SortFunc(parts[1:], func(a, b part) int {
		return compareEntries(Entry{Name: a.header.Name}, Entry{Name: b.header.Name})
	})
	return relisted(t, parts)
}

// recordOf is the number of the first entry that is the record of such a thing.
func recordOf(t testing.TB, parts []part, kind ledger.Kind) int {
	t.Helper()
	for i, p := range parts[1:] {
		if !isRecord(p.header.Name) {
			continue
		}
		if r, err := ledger.DecodeRecord(filepath.Base(p.header.Name), p.data); err == nil && r.Ref().Kind == kind {
			return i + 1
		}
	}
	t.Fatalf("no record of a %s", kind)
	return 0
}

// Every violation is refused with exit code 2, by the name of the entry where there is one,
// and nothing is written but the staged blobs.
func TestHostileArchives(t *testing.T) {
	l, comparison, _ := testLedger(t)
	sound := archiveOf(t, l, comparison)
	if _, err := read(t, putTogether(t, takeApart(t, sound)), DefaultLimits); err != nil {
		t.Fatalf("the archive that is changed below is not sound: %v", err)
	}
	const last = 8 // of three records, three blobs and the slices of two runs
	insert := func(p part) func(testing.TB, []part) []part {
		return func(_ testing.TB, parts []part) []part { return slices.Insert(parts, 2, p) }
	}
	typed := func(flag byte, link string) func(testing.TB, []part) []part {
		return func(t testing.TB, parts []part) []part {
			name := parts[last].header.Name
			parts[last] = part{tar.Header{Typeflag: flag, Name: name, Linkname: link, Format: tar.FormatUSTAR}, nil}
			return parts
		}
	}
	manifest := func(change func(*Manifest)) func(testing.TB, []part) []part {
		return func(t testing.TB, parts []part) []part { return withManifest(t, parts, change) }
	}
	record := func(kind ledger.Kind, change func(*ledger.Record)) func(testing.TB, []part) []part {
		return func(t testing.TB, parts []part) []part {
			return withRecord(t, parts, recordOf(t, parts, kind), change)
		}
	}
	for what, c := range map[string]struct {
		change func(testing.TB, []part) []part
		want   string
	}{
		"a name with ..":      {insert(file("../outside", "x")), `entry "../outside": it leads out`},
		".. further inside":   {insert(file("blobs/../../x", "x")), `it leads out`},
		"an absolute path":    {insert(file("/tmp/outside", "x")), `entry "/tmp/outside": it is an absolute path`},
		"another name":        {insert(file("blobs/ab/notes.txt", "x")), `no such name`},
		"a backslash":         {insert(file(`records\x`, "x")), `no such name`},
		"a control character": {insert(file("\x1b[2J", "x")), `"\x1b[2J"`},
		"a symbolic link":     {typed(tar.TypeSymlink, "/etc/passwd"), `it is a symbolic link to "/etc/passwd"`},
		"a hard link":         {typed(tar.TypeLink, manifestName), `it is a hard link`},
		"a character device":  {typed(tar.TypeChar, ""), `it is a device`},
		"a block device":      {typed(tar.TypeBlock, ""), `it is a device`},
		"a named pipe":        {typed(tar.TypeFifo, ""), `it is a named pipe`},
		"a directory": {insert(part{tar.Header{Typeflag: tar.TypeDir, Name: "blobs/",
			Format: tar.FormatUSTAR}, nil}), `it is a directory`},
		"a type that no one uses": {typed('7', ""), `it is of type '7'`},
		"a PAX header": {func(_ testing.TB, parts []part) []part {
			parts[1].header.Format, parts[1].header.PAXRecords = tar.FormatPAX, map[string]string{"HONE.x": "y"}
			return parts
		}, `extended header`},
		"a PAX header for all": {insert(part{tar.Header{Typeflag: tar.TypeXGlobalHeader,
			PAXRecords: map[string]string{"path": "../x"}, Format: tar.FormatPAX}, nil}), `of type 'g'`},
		"a long name of GNU": {insert(part{tar.Header{Typeflag: tar.TypeReg, Name: strings.Repeat("x", 300),
			Format: tar.FormatGNU}, nil}),
			`extended header`},
		"an entry twice": {func(_ testing.TB, parts []part) []part { return slices.Insert(parts, 2, parts[1]) },
			`it is there twice`},
		"an entry twice, at the end": {func(_ testing.TB, parts []part) []part { return append(parts, parts[last]) },
			`it is there twice`},
		"two entries in each other's place": {func(_ testing.TB, parts []part) []part {
			parts[1], parts[2] = parts[2], parts[1]
			return parts
		}, `in the wrong place`},
		"an entry that is not in the manifest": {insert(file(blobEntry(sumOf([]byte("x"))), "x")),
			`it is not in the manifest`},
		"one more at the end": {func(_ testing.TB, parts []part) []part {
			return append(parts, file(blobEntry(sumOf([]byte("x"))), "x"))
		},
			`it is not in the manifest`},
		"an entry is missing": {func(_ testing.TB, parts []part) []part { return slices.Delete(parts, 3, 4) },
			`in the wrong place`},
		"the last is missing": {func(_ testing.TB, parts []part) []part { return parts[:last] },
			`it is in the manifest and not in the archive`},
		"no manifest": {func(_ testing.TB, parts []part) []part { return parts[1:] },
			`the first entry has to be`},
		"nothing": {func(testing.TB, []part) []part { return nil }, `it is empty`},
		"another size": {func(_ testing.TB, parts []part) []part {
			parts[last].data = append(parts[last].data, 'x')
			return parts
		}, `in the manifest`},
		"other bytes": {func(_ testing.TB, parts []part) []part {
			parts[last].data[0] ^= 1
			return parts
		}, `its SHA-256 is`},
		"other bytes of a record": {func(_ testing.TB, parts []part) []part {
			parts[1].data[len(parts[1].data)-1] ^= 1
			return parts
		}, `its SHA-256 is`},
		"a record under another name": {func(t testing.TB, parts []part) []part {
			name := []byte(parts[1].header.Name)
			name[len(name)-6] ^= 1
			parts[1].header.Name = strings.ToLower(string(name))
			return relisted(t, parts)
		}, ``},
		"a blob under another name": {func(t testing.TB, parts []part) []part {
			return withManifest(t, parts, func(m *Manifest) { m.Entries[last-1].SHA256 = sumOf(nil) })
		}, `its name is not its SHA-256`},
		"a blob that no run has": {func(t testing.TB, parts []part) []part {
			parts = append(parts, file(blobEntry(sumOf([]byte("x"))), "x"))
			slices.SortFunc(parts[1:], func(a, b part) int {
				return compareEntries(Entry{Name: a.header.Name}, Entry{Name: b.header.Name})
			})
			return relisted(t, parts)
		}, `no run has this file`},
		"a blob is missing, also in the manifest": {func(t testing.TB,
			parts []part) []part {
			return relisted(t, parts[:last])
		},
			`a run has this file, and it is not in the archive`},
		"a run is missing": {func(t testing.TB, parts []part) []part {
			i := recordOf(t, parts, ledger.KindRun)
			return relisted(t, slices.Delete(parts, i, i+1))
		}, `of other runs than its record says`},
		"the comparison is missing": {func(t testing.TB, parts []part) []part {
			i := recordOf(t, parts, ledger.KindComparison)
			return relisted(t, slices.Delete(parts, i, i+1))
		}, `which is not there`},
		"another schema": {manifest(func(m *Manifest) { m.Schema = "hone.archive/9" }),
			`its schema is "hone.archive/9"`},
		"no entries":        {manifest(func(m *Manifest) { m.Entries = nil }), `it has no entries`},
		"a size below zero": {manifest(func(m *Manifest) { m.Entries[0].Size = -1 }), `it has -1 bytes`},
		"a size beyond all": {manifest(func(m *Manifest) { m.Entries[0].Size = 1 << 62 }), `and may have`},
		"too many entries": {manifest(func(m *Manifest) { m.Entries = slices.Repeat(m.Entries, 4000) }),
			`more than 20000`},
		".. in the manifest":    {manifest(func(m *Manifest) { m.Entries[0].Name = "records/../x" }), `leads out`},
		"twice in the manifest": {manifest(func(m *Manifest) { m.Entries[1] = m.Entries[0] }), `twice`},
		"a manifest with more in it": {func(_ testing.TB, parts []part) []part {
			parts[0] = file(manifestName, `{"schema":"hone.archive/2","evil":1}`)
			return parts
		}, `unknown field`},
		"a manifest with more after it": {func(_ testing.TB, parts []part) []part {
			parts[0].data = append(parts[0].data, "{}"...)
			return parts
		}, `more after`},
		"a run without an end": {record(ledger.KindRun, func(r *ledger.Record) { r.Run.Status = ledger.Running }),
			`its status is`},
		"a run without an origin": {record(ledger.KindRun, func(r *ledger.Record) { r.Run.Origin = nil }),
			`where it was measured`},
		"an artefact's size": {record(ledger.KindRun, func(r *ledger.Record) {
			r.Artefacts[0].Size++
		}), ``},
		"an artefact that leads out": {record(ledger.KindRun, func(r *ledger.Record) {
			r.Artefacts[0].SHA256 = "../../../../../etc/passwd"
		}), `wrong`},
		"two runs in one place": {record(ledger.KindRun, func(r *ledger.Record) { r.Seq = 3 - r.Seq }), `there twice`},
		"slices that cannot be": {record(ledger.KindRun, func(r *ledger.Record) { r.Slices.Size = -1 }), `impossible`},
		"slices of another size": {record(ledger.KindRun, func(r *ledger.Record) { r.Slices.Size++ }),
			`in the record of its run`},
		"slices that are not there": {record(ledger.KindRun, func(r *ledger.Record) {
			r.Slices.SHA256 = strings.Repeat("0", 64)
		}), `no run has this file`},
	} {
		t.Run(what, func(t *testing.T) {
			refuse(t, putTogether(t, c.change(t, takeApart(t, sound))), DefaultLimits, c.want)
		})
	}
}

// refuse wants an archive refused, and nothing to be written but staged blobs.
func refuse(t *testing.T, data []byte, limits Limits, want string) {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "a", "b")
	must(t, os.MkdirAll(dir, 0o700))
	a, err := Read(bytes.NewReader(data), dir, limits)
	if a != nil || fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), want) ||
		fail.HintOf(err) == "" {
		t.Errorf("archive %v, error %v, want %q and a hint", a, err, want)
	}
	must(t, filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (filepath.Dir(path) != dir || len(d.Name()) != 64 || !d.Type().IsRegular()) {
			t.Errorf("wrote %s", path)
		}
		return err
	}))
}

// An archive that was cut off anywhere, or has anything after its end, is refused.
func TestCutOffAndContinued(t *testing.T) {
	l, _, alone := testLedger(t)
	sound := archiveOf(t, l, alone)
	for n := 0; n < len(sound); n += 1 + len(sound)/100 {
		refuse(t, sound[:n], DefaultLimits, "")
	}
	plain := tarOf(t, takeApart(t, sound))
	for what, c := range map[string]struct {
		data []byte
		want string
	}{
		"behind gzip":          {append(slices.Clone(sound), "evil"...), "after the end of the gzip file"},
		"a second gzip member": {append(slices.Clone(sound), sound...), "after the end of the gzip file"},
		"behind tar": {zipped(t, append(slices.Clone(plain), "evil"...)),
			"after the end of the tar archive"},
		"an empty block more": {zipped(t, append(slices.Clone(plain), make([]byte, block)...)),
			"after the end of the tar archive"},
		"tar without its end":    {zipped(t, plain[:len(plain)-2*block]), "ends too early"},
		"tar with half its end":  {zipped(t, plain[:len(plain)-block]), "ends too early"},
		"tar cut in an entry":    {zipped(t, plain[:len(plain)-2*block-300]), ""},
		"a checksum of gzip":     {flipped(sound, len(sound)-5), ""},
		"no gzip":                {plain, "it is not gzip"},
		"text":                   {[]byte("hello"), "it is not gzip"},
		"a flipped bit, tar":     {zipped(t, flipped(plain, 3)), ""},
		"a flipped bit, content": {zipped(t, flipped(plain, len(plain)-3*block)), ""},
	} {
		t.Run(what, func(t *testing.T) { refuse(t, c.data, DefaultLimits, c.want) })
	}
}

func flipped(data []byte, i int) []byte {
	data = slices.Clone(data)
	data[i] ^= 4
	return data
}

// What an archive unpacks to is bounded in every way.
func TestBombs(t *testing.T) {
	l, _, _ := testLedger(t)
	d, err := l.BeginRun(ledger.Run{})
	must(t, err)
	_, err = d.AddArtefact("stderr", "zeros", bytes.NewReader(make([]byte, 1<<20)))
	must(t, err)
	must(t, d.AddSlices(make([]packed.Slice, 1)))
	must(t, d.Finish(ledger.Complete, strings.Repeat("x", 1<<18), nil))
	data := archiveOf(t, l, ledger.Ref{Kind: ledger.KindRun, ID: d.ID()})
	if _, err := read(t, data, DefaultLimits); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		limit func(*Limits)
		want  string
	}{
		"entries": {func(l *Limits) { l.Entries = 2 }, "more than 2"},
		"entry":   {func(l *Limits) { l.Entry = 1 << 19 }, "may have"},
		"total":   {func(l *Limits) { l.Total = 1 << 19 }, "over 524288 bytes"},
		"records": {func(l *Limits) { l.Records = 1 << 17 }, "too many bytes"},
		"ratio":   {func(l *Limits) { l.Slack, l.Ratio = 1<<16, 10 }, "over 10 times its size"},
	} {
		t.Run(what, func(t *testing.T) {
			limits := DefaultLimits
			c.limit(&limits)
			refuse(t, data, limits, c.want)
		})
	}
}
