package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// largeObject is from how many bytes on an allocation is a buffer and not an object: the runtime clears it by memclr,
// and a request rarely has a single value as large.
const largeObject = 512

var bufferPerCall = &Rule{
	Name: "buffer-per-call", Title: "buffers made for each call",
	Looks: "allocations of 512 bytes and more on average, by make or by constructors of bufio and bytes",
	Thresholds: []Threshold{
		{Name: "bytes", Value: largeObject, Reason: "below, it is an object: rule object-per-call"},
	},
	Remedy: Remedy{
		Change: "Keep the buffer with the connection or the worker, or in a sync.Pool of pointers to slices. Clearing it " +
			"and the collector's work for it are then gone.",
		Before: "buf := make([]byte, 32<<10)\nn, err := conn.Read(buf)",
		After: "buf := buffers.Get().(*[]byte) // var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); " +
			"return &b }}\ndefer buffers.Put(buf)",
	},
	Find: func(v *search, r *Rule) []*found {
		made := either(directly("runtime.makeslice*", "runtime.mallocgc*", "runtime.newobject", "runtime.memclr*"),
			calls(oneOf("bufio.NewReader*", "bufio.NewWriter*", "bufio.NewScanner", "bytes.NewBuffer*",
				"bufio.(*Scanner).Scan", "io.copyBuffer", "io.Copy")))
		copies := underOwn(calls(oneOf("io.copyBuffer")))
		all := v.spendsOn(r, func(s *facts.Stack) int {
			if at := copies(s); at >= 0 && s.Find(facts.Allocates) >= 0 {
				return at
			}
			at := made(s)
			if at < 0 || s.Find(facts.Allocates) < 0 || !v.plainBuffer(s, at) ||
				s.Bytes > 0 && s.Bytes < largeObject*s.Objects {
				return -1
			}
			i := s.Own(at)
			byLibrary := s.Outermost(func(f *facts.Frame) bool { return f.Origin == prof.Standard }, i) >= 0
			if own := &s.Frames[i]; !byLibrary && v.File(own.File).MakesOther(int(own.Line)) || v.Kept(s, i) {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			if u.PerObject() < r.threshold("bytes") {
				return ""
			}
			by := ""
			if u.What == "io.copyBuffer" {
				by = ", by io.Copy"
			}
			return fmt.Sprintf("a buffer of %s is made for each call%s%s", units.Bytes(u.PerObject()), by,
				perRequest(u, "buffers"))
		})
		for _, f := range all {
			if strings.Contains(f.Title, "io.Copy") {
				f.Change = "io.Copy makes a buffer where the source has no WriteTo and the destination no ReadFrom that fits. " +
					"Hand over the *os.File or *net.TCPConn itself and no wrapper of it, so that the kernel copies (sendfile, " +
					"splice), or use io.CopyBuffer with a buffer that is used again."
				f.Before, f.After = "io.Copy(w, wrapped)", "io.Copy(w, file) // *os.File"
			}
		}
		return all
	},
}

// plainBuffer says whether the user's code comes to frame number i directly or through bufio, bytes and io.
func (v *search) plainBuffer(s *facts.Stack, i int) bool {
	for ; i < len(s.Frames); i++ {
		switch f := &s.Frames[i]; {
		case f.Origin == prof.Own:
			return true
		case f.Origin == prof.Runtime, f.Pkg == "bytes", f.Pkg == "bufio", f.Pkg == "io":
		default:
			return false
		}
	}
	return false
}
