// Package requests reads requests from what people have at hand: a curl command line, a
// browser's recording (HAR). Bytes go in and requests come out;
// nothing is sent, and no file is opened here.
package requests

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/wire"
)

// key is equal for requests that are the same on the wire.
func key(r wire.Request) string {
	return r.Method + " " + r.Path + "\x00" + strings.Join(r.Headers, "\x00") + "\x00\x00" + string(r.Body)
}

// List is the requests of a file, and what became of the rest of it.
type List struct {
	// Requests are the different ones; Weight says how often each was there.
	Requests []wire.Request
	// Order is what was asked one after the other: indexes of Requests.
	Order []uint32
	// Moments are those of Order, from the first on, ascending; nil: the file has none.
	Moments []time.Duration
	// Spread says that the file has whole seconds, and Moments are spread over each.
	Spread bool
	// Found is how many entries the file has.
	Found int
	// LeftOut says why entries were left out, and how many for each reason.
	LeftOut []Reason
	// Notes are sentences on how the file was read.
	Notes []string
}

// Reason is why some entries were left out.
type Reason struct {
	Why   string
	Count int
}

const (
	// maxEntries bounds how many entries of a file are taken: 100 MB of order and moments.
	maxEntries = 1_000_000
	// maxDifferent bounds how many different requests are kept.
	maxDifferent = 100_000
	// maxKept bounds their text, which is kept once: bytes.
	maxKept = 256 << 20
)

// Taken is how many entries l holds.
func (l *List) Taken() int {
	left := 0
	for _, r := range l.LeftOut {
		left += r.Count
	}
	return l.Found - left
}

// Digest tells lists of requests apart, by what a document keeps of them and the lengths of bodies. It
// is empty for no requests.
func Digest(all []wire.Request) string {
	if len(all) == 0 {
		return ""
	}
	h := sha256.New()
	for i, r := range wire.StoredRequests(all) {
		fmt.Fprintf(h, "%s %s %q %d %d\n", r.Method, r.Path, r.Headers, len(all[i].Body), r.Weight)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
