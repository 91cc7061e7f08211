// Package codes has the names of codes of answers that are words on the wire. The engine (load) counts
// answers by number and knows no protocol; the protocols (internal/wire) number their errors by it, and reports name
// them by it.
package codes

import "slices"

// firstRESP is the number of the first of respWords; the others follow. No status of HTTP is below 100.
const firstRESP = 20

// respWords are first words of errors of Redis and servers like it, which name the kind of the
// error. Their places are stored in results: add at the end, never reorder. The first stands
// for all others.
var respWords = []string{
	"another error", "ERR", "WRONGTYPE", "NOAUTH", "WRONGPASS", "NOPERM", "MOVED", "ASK", "CLUSTERDOWN", "CROSSSLOT",
	"TRYAGAIN", "OOM", "BUSY", "BUSYKEY", "BUSYGROUP", "NOGROUP", "LOADING", "READONLY", "MASTERDOWN", "MISCONF",
	"NOREPLICAS",
	"NOSCRIPT", "NOTBUSY", "UNKILLABLE", "EXECABORT", "NOPROTO", "INPROG", "NOGOODSLAVE", "NOMASTERLINK", "UNBLOCKED",
	"IOERR",
	"DENIED", "INVALIDOBJ", "NOQUORUM", "UNSTABLE", "NOTREADY", "TIMEOUT", "ERROR",
}

// OfRESP is the number of an error of RESP, by its first word.
func OfRESP(word string) uint16 {
	return firstRESP + uint16(max(0, slices.Index(respWords, word)))
}

// IsRESP says whether a word names an error of RESP.
func IsRESP(word string) bool { return slices.Contains(respWords, word) }

// RESPWord is the word of a number that OfRESP gives; not ok for any other number.
func RESPWord(code uint16) (word string, ok bool) {
	if i := int(code) - firstRESP; i >= 0 && i < len(respWords) {
		return respWords[i], true
	}
	return "", false
}
