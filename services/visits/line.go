package visits

import (
	"io"
	"strconv"
	"sync"
	"unicode/utf8"
)

// appendLine appends a line of the log as logrus writes it in the first stages, but for
// the order of its fields. The color needs no escape: it was checked.
func appendLine(dst []byte, at string, name, color []byte, count int) []byte {
	dst = append(dst, `{"level":"info","time":"`...)
	dst = append(dst, at...)
	dst = append(dst, `","msg":"visit","color":"`...)
	dst = append(dst, color...)
	dst = append(dst, `","visits":`...)
	dst = strconv.AppendInt(dst, int64(count), 10)
	dst = append(dst, `,"name":"`...)
	dst = appendJSON(dst, name)
	return append(dst, "\"}\n"...)
}

// appendJSON appends s as the inside of a JSON string (RFC 8259, section 7). A byte that
// is no UTF-8 becomes U+FFFD, as in encoding/json.
func appendJSON(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[done:i]...)
				dst = append(dst, "\ufffd"...)
				done = i + 1
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, s[done:i]...)
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&0xf])
			done = i + 1
		}
		i++
	}
	return append(dst, s[done:]...)
}

// oneByOne makes writers of a log wait for each other; io.Discard needs no waiting for.
func oneByOne(log io.Writer) io.Writer {
	if log == io.Discard {
		return log
	}
	return &serial{out: log}
}

type serial struct {
	mu  sync.Mutex
	out io.Writer
}

func (s *serial) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}
