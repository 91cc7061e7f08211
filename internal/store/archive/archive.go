// Package archive carries finished runs and comparisons from one ledger to another, as one
// file that tar can list:
//
//	hone-archive.json             the manifest: what follows, in this order, with size and SHA-256
//	records/1a2b3c4d-SHA256.json  all that the ledger knows of one run or comparison (ledger.Record)
//	blobs/ab/cdef...              the bytes of artefacts, and of slices, named by their SHA-256
//
// It is a ustar archive (POSIX.1-1988) of plain files in one gzip member, and a function of
// the runs alone: no times, no owners, names sorted, so that equal runs give equal bytes.
// A comparison comes with all its runs, and a run with the comparison that it belongs to:
// neither is useful without the other. Baselines and time series are not in it.
//
// The origin of an archive is not known. Read trusts nothing in it: see Read.
package archive

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Schema is the version of the format.
const Schema = "hone.archive/2"

const (
	manifestName = "hone-archive.json"
	recordsDir   = "records/"
	blobsDir     = "blobs/"
)

// Manifest is the first file of an archive.
type Manifest struct {
	Schema string `json:"schema"`
	// Hone is the version of the hone that wrote it.
	Hone    string  `json:"hone"`
	Entries []Entry `json:"entries"`
}

// Entry is a file of the archive.
type Entry struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// compareEntries sorts records before blobs, and each by name.
func compareEntries(a, b Entry) int {
	if x, y := isRecord(a.Name), isRecord(b.Name); x != y {
		if x {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.Name, b.Name)
}

func isRecord(name string) bool { return strings.HasPrefix(name, recordsDir) }

// Limits bound what Read accepts. All count bytes, but for Entries.
type Limits struct {
	// Entries is how many files there may be.
	Entries int
	// Entry is how much one file may hold, Total all of them.
	Entry, Total int64
	// Records is what all records and their slices may hold.
	Records int64
	// Ratio is how many times its own size the archive may unpack to, beyond Slack.
	Ratio, Slack int64
}

// DefaultLimits suit archives of some hundred runs. A run of ten minutes has slices of
// 50 MB; its profiles, which are compressed already, a few MB. Only logs and
// execution traces pack well, and deflate packs at most 1,032 to 1.
var DefaultLimits = Limits{Entries: 20_000, Entry: 1 << 30, Total: 4 << 30, Records: 512 << 20, Ratio: 200,
	Slack: 64 << 20}

// refusal is an error about an archive as a whole.
func refusal(format string, args ...any) error {
	return fail.New(fail.BadInput, "refuse archive: "+format, args...).WithHint("%s", hint)
}

// refused is an error about one of its entries.
func refused(name, format string, args ...any) error {
	return refusal("entry %.120q: %w", name, fmt.Errorf(format, args...))
}

const hint = "nothing was written; copy the archive again, or have it made again with hone export"
