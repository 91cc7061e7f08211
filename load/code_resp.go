package load

import (
	"fmt"
	"slices"
	"strconv"
)

// firstRESPCode is the Answer.Code of the first of respWords; the others follow. No status of
// HTTP is below 100.
const firstRESPCode = 20

// respWords are first words of errors of Redis and servers like it, which name the kind of the
// error. Their places are stored in results: add at the end, never reorder. The first stands
// for all others.
var respWords = []string{
	"another error", "ERR", "WRONGTYPE", "NOAUTH", "WRONGPASS", "NOPERM", "MOVED", "ASK", "CLUSTERDOWN", "CROSSSLOT", "TRYAGAIN",
	"OOM", "BUSY", "BUSYKEY", "BUSYGROUP", "NOGROUP", "LOADING", "READONLY", "MASTERDOWN", "MISCONF", "NOREPLICAS", "NOSCRIPT",
	"NOTBUSY", "UNKILLABLE", "EXECABORT", "NOPROTO", "INPROG", "NOGOODSLAVE", "NOMASTERLINK", "UNBLOCKED", "IOERR", "DENIED",
	"INVALIDOBJ", "NOQUORUM", "UNSTABLE", "NOTREADY", "TIMEOUT", "ERROR",
}

// RESPCode is the Answer.Code of an error of RESP, by its first word.
func RESPCode(word string) uint16 {
	return firstRESPCode + uint16(max(0, slices.Index(respWords, word)))
}

// respName is the word of a code of RESP; not ok for any other code.
func respName(code uint16) (word string, ok bool) {
	if i := int(code) - firstRESPCode; i >= 0 && i < len(respWords) {
		return respWords[i], true
	}
	return "", false
}

// codeKey is a code in JSON: the word of an error of RESP, the number of any other.
func codeKey(code uint16) string {
	if word, ok := respName(code); ok {
		return word
	}
	return strconv.Itoa(int(code))
}

// codeOf reads what codeKey writes.
func codeOf(key string) (uint16, error) {
	if slices.Contains(respWords, key) {
		return RESPCode(key), nil
	}
	code, err := strconv.ParseUint(key, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("status %q is neither a number up to 65535 nor the word of an error of RESP", key)
	}
	return uint16(code), nil
}
