package ledger

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"github.com/gohone/hone/internal/storedir"
)

// fileSum is what ledger.sum holds: the checksum of ledger.db as the last writer left
// it. SQLite has no checksums of pages at rest: it serves a flipped bit in a text as
// data. The database file changes only when the log is folded into it (a checkpoint),
// and a writer removes the sum before that and writes it again afterwards. So while
// there is a sum it holds, also after a crash and beside an active writer; what is in
// the log has SQLite's own checksums.
//
// CRC-32C takes 10 ms per 100 MB, SHA-256 ten times as long. It finds every change of
// up to 32 bits in a row, and misses one in 2^32 of all others.
type fileSum struct {
	schema int   // of the database
	size   int64 // bytes
	crc    uint32
	made   int64 // nanoseconds since 1970: tells two sums of one content apart
}

const sumName = "ledger.sum"

// text is one line, with a checksum of its own at the end.
func (s fileSum) text() string {
	line := fmt.Sprintf("hone.sum/1 schema %d size %d crc32c %08x made %d", s.schema, s.size, s.crc, s.made)
	return fmt.Sprintf("%s check %08x\n", line, crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli)))
}

// parseSum is the inverse of text.
func parseSum(text string) (s fileSum, ok bool) {
	var check uint32
	_, err := fmt.Sscanf(text, "hone.sum/1 schema %d size %d crc32c %x made %d check %x", &s.schema, &s.size, &s.crc, &s.made, &check)
	return s, err == nil && s.text() == text
}

// readSum returns the sum of the database in dir. A file that is no sum counts as none.
func readSum(home *storedir.Dir) (s fileSum, ok bool) {
	text, err := readFile(home, sumName)
	if err != nil {
		return s, false
	}
	return parseSum(string(text))
}

// dropSum removes the sum, and returns when it is gone from the disk.
func dropSum(home *storedir.Dir) error {
	if err := home.RemoveAll(sumName); err != nil {
		return err
	}
	return home.Sync(".")
}

// writeSum stores the sum of the database as it is. Without the sum the next writer
// looks at every page instead, so it is no error if there is no space for it.
func writeSum(home *storedir.Dir, schema int) {
	size, crc, err := sumFile(home)
	if err != nil {
		return
	}
	s := fileSum{schema: schema, size: size, crc: crc, made: time.Now().UnixNano()}
	_ = placeFile(home, sumName, []byte(s.text()))
}

// sumFile reads the whole database file.
func sumFile(home *storedir.Dir) (size int64, crc uint32, err error) {
	f, err := home.Open(databaseName)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	size, err = io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, make([]byte, 1<<20))
	return size, h.Sum32(), err
}

// checkSum holds the database file against its sum. verified is false where there is
// none, or one of a schema that this program does not know. The error wraps ErrCorrupt.
func checkSum(home *storedir.Dir, s schema) (verified bool, err error) {
	const tries = 3 // a writer that ends meanwhile changes the file and its sum
	for range tries {
		sum, ok := readSum(home)
		if !ok || sum.schema > s.version {
			return false, nil
		}
		size, crc, err := sumFile(home)
		if err != nil {
			return false, err
		}
		if size == sum.size && crc == sum.crc {
			return true, nil
		}
		if again, ok := readSum(home); ok && again == sum {
			return false, fmt.Errorf("%w: it is not as hone left it: %s instead of %s", ErrCorrupt,
				sumWords(size, crc), sumWords(sum.size, sum.crc))
		}
	}
	return false, nil
}

// settle closes the database. The last connection folds the log into the file; a reader
// that is still there leaves it to the next writer.
func (l *Ledger) settle() error {
	if l.lock == nil {
		return l.db.Close()
	}
	var faults []error
	if hasContent(l.home, databaseName+"-wal") {
		faults = append(faults, dropSum(l.home))
	}
	version, err := versionOf(l.db)
	faults = append(faults, err, l.db.Close())
	if _, known := readSum(l.home); !known && errors.Join(faults...) == nil {
		writeSum(l.home, version)
	}
	return errors.Join(faults...)
}

// longLog is how long the log may become before it is folded into the database while
// the writer goes on: some minutes of slices.
const longLog = 32 << 20

// foldLongLog keeps the log from growing without end. The sum is written at the end of
// the writer: it would have to read the whole file each time, under load.
func (l *Ledger) foldLongLog() error {
	info, err := l.home.Stat(databaseName + "-wal")
	if err != nil || info.Size() < longLog {
		return nil
	}
	if err := dropSum(l.home); err != nil {
		return err
	}
	// As much as readers allow. On a full disk the log stays, and nothing is lost.
	_, _ = l.db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
	return nil
}

func sumWords(size int64, crc uint32) string {
	return fmt.Sprintf("%d bytes with the checksum %08x", size, crc)
}
