package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// Reading and writing: too many system calls, too few, and files in the path of a request.

// fewestCalls is from how many calls per request on a buffer saves one: with less than one and a half most requests
// take a single call already.
const fewestCalls = 1.5

// smallPiece is up to how many bytes a call costs more than the copying: loopback's write and read take the same time
// up to about 4 kB.
const smallPiece = 4096

var unbufferedReads = &Rule{
	Name: "unbuffered-reads", Title: "small reads without a buffer",
	Looks: "time in read calls that the user's code makes on a connection or file without bufio, where a request takes " +
		"several",
	Thresholds: []Threshold{
		{Name: "calls", Value: fewestCalls,
			Reason: "with fewer calls per request a buffer saves none; where several requests wait on a connection, one call " +
				"can read them all"},
		{Name: "bytes", Value: smallPiece, Reason: "per call; the copying of a larger piece costs more than the call"},
	},
	Remedy: Remedy{
		Change: "Put a bufio.Reader around the connection or file: one system call then reads all that has come, the " +
			"fields of a frame and the frames after it.",
		Before: "io.ReadFull(conn, head[:4])\nio.ReadFull(conn, body[:size])",
		After: "r := bufio.NewReaderSize(conn, 64<<10) // once for a connection\nio.ReadFull(r, head[:4])\n" +
			"io.ReadFull(r, body[:size])",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.unbuffered(r, v.Numbers.Reads, v.Numbers.ReadBytes, "read", "bufio.(*Reader).*",
			"internal/poll.(*FD).Read*", "internal/poll.(*FD).Pread", "syscall.Read", "syscall.read", "syscall.Pread",
			"syscall.pread", "golang.org/x/sys/unix.Read*", "golang.org/x/sys/unix.Pread*")
	},
}

var unbufferedWrites = &Rule{
	Name: "unbuffered-writes", Title: "small writes without a buffer",
	Looks: "time in write calls that the user's code makes on a connection or file without bufio, where a request takes " +
		"several",
	Thresholds: []Threshold{
		{Name: "calls", Value: fewestCalls, Reason: "as for reads"},
		{Name: "bytes", Value: smallPiece, Reason: "as for reads"},
	},
	Remedy: Remedy{
		Change: "Put a bufio.Writer around the connection or file, or append the whole answer to a byte slice, and write " +
			"once: at the end of an answer, or when no further request is waiting in the reader's buffer. net.Buffers writes " +
			"several slices in one call.",
		Before: "conn.Write(head)\nconn.Write(body)",
		After: "w.Write(head) // w := bufio.NewWriter(conn), once for a connection\nw.Write(body)\n" +
			"if r.Buffered() == 0 { w.Flush() }",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		return v.unbuffered(r, v.Numbers.Writes, v.Numbers.WriteBytes, "write", "bufio.(*Writer).*",
			"internal/poll.(*FD).Write*", "internal/poll.(*FD).Pwrite", "syscall.Write", "syscall.write",
			"syscall.Pwrite", "syscall.pwrite", "golang.org/x/sys/unix.Write*", "golang.org/x/sys/unix.Pwrite*")
	},
}

// unbuffered finds the user's lines that make a system call for each small piece. perRequest is how many there are.
func (v *search) unbuffered(r *Rule, perRequest, bytes float64, verb, buffer string, entries ...string) []*found {
	depth := float64(max(v.Numbers.Depth, 1))
	if perRequest == 0 || bytes > perRequest*r.threshold("bytes") ||
		perRequest < r.threshold("calls") && perRequest*depth < r.threshold("calls")+1 {
		return nil
	}
	inPieces := v.pieces(perRequest, func(s *facts.Stack) int {
		if !s.Kernel() || s.Find(isLog) >= 0 {
			return -1
		}
		if s.Find(func(f *facts.Frame) bool { return f.Is(buffer) }) >= 0 {
			return v.flushedByUser(s)
		}
		at := s.Find(func(f *facts.Frame) bool { return f.Is(entries...) })
		if at < 0 || !v.ownCall(s, at) {
			return -1
		}
		return at
	})
	all := v.spendsOn(r, inPieces, func(u *facts.Account) string {
		return fmt.Sprintf("%s %s calls per request, each for a small piece", units.Digits(perRequest), verb)
	})
	for _, f := range all {
		// What remains is one call for all requests that wait on a connection, and one for each buffer of bytes.
		f.Gain = f.Cost * max(0, 1-(1/depth+bytes/smallPiece)/perRequest)
		f.Evidence = append(f.Evidence, Evidence{Source: "counters",
			Text: fmt.Sprintf("%s %s calls per request%s, with up to %d requests outstanding on a connection",
				units.Digits(perRequest), verb, ofBytes(bytes/perRequest), int(depth))})
	}
	return remedied(all, append([]remedyFor{responseRemedy, flushRemedy}, positionalRemedies...))
}

// flushedByUser is the frame of the Flush that the user's code calls itself: a buffer that is flushed after each piece
// saves no call. -1 if the buffer was full, or a library flushed it. The body of a response may be flushed for each event
// that comes, and not for each element of data that is there.
func (v *search) flushedByUser(s *facts.Stack) int {
	at := s.Find(func(f *facts.Frame) bool { return f.Is("bufio.(*Writer).Flush") })
	if at < 0 {
		return -1
	}
	ofResponse := false
	for at+1 < len(s.Frames) && flushesResponse(&s.Frames[at+1]) {
		at, ofResponse = at+1, true
	}
	if at+1 >= len(s.Frames) || s.Frames[at+1].Origin != prof.Own || ofResponse && v.DataLoop(s, at) < 0 {
		return -1
	}
	return at
}

func flushesResponse(f *facts.Frame) bool {
	return f.Is("net/http.(*response).Flush*", "net/http.(*chunkWriter).flush", "net/http.(*ResponseController).Flush",
		"net/http.(*http2responseWriter).Flush*")
}

func ofBytes(each float64) string {
	if each == 0 {
		return ""
	}
	return " of " + units.Bytes(each) + " on average"
}

// ownCall says whether the user's code reaches frame number i without a library that buffers or speaks a protocol.
func (v *search) ownCall(s *facts.Stack, i int) bool {
	for ; i < len(s.Frames); i++ {
		switch f := &s.Frames[i]; {
		case f.Origin == prof.Own:
			return true
		case f.Origin == prof.Runtime, f.Pkg == "net", f.Pkg == "os", f.Pkg == "io", f.Pkg == "internal/poll",
			f.Pkg == "syscall", f.Pkg == "encoding/binary", f.Pkg == "crypto/tls", f.Pkg == "fmt",
			f.Pkg == "golang.org/x/sys/unix":
		default:
			return false
		}
	}
	return false
}

// mostWithheld is the part of the requests that may stay unanswered at the end of a load without a meaning.
const mostWithheld = 0.02

var missingFlush = &Rule{
	Name: "missing-flush", Title: "answers withheld in a buffer",
	Looks: "requests without an answer, and code that writes to a bufio.Writer and does not flush it for each answer",
	Thresholds: []Threshold{
		{Name: "withheld", Value: mostWithheld,
			Reason: "requests that are on their way when the load ends stay unanswered, too"},
	},
	Remedy: Remedy{
		Change: "Flush when an answer is complete and no further request is waiting in the reader's buffer. Until then the " +
			"answer stays in the server, and the client waits for it.",
		Before: "w := bufio.NewWriter(conn)\nw.Write(answer)",
		After:  "w.Write(answer)\nif r.Buffered() == 0 {\n\tif err := w.Flush(); err != nil { return err }\n}",
	},
	Find: func(v *search, r *Rule) []*found {
		n := v.Numbers
		if n.Unanswered == 0 || float64(n.Unanswered) < r.threshold("withheld")*float64(n.Requests+n.Unanswered) {
			return nil
		}
		place, stack, instead := v.notFlushed()
		if instead == "" {
			return nil
		}
		share := float64(n.Unanswered) / float64(n.Requests+n.Unanswered)
		return []*found{{Finding: Finding{
			Title: "answers are written to a buffer that is not flushed for each answer", Place: place,
			Via: "bufio.(*Writer).Write", Costs: Costs{Measure: Answers, Cost: share, Gain: share},
			Evidence: []Evidence{
				{Source: "counters", Text: fmt.Sprintf("%d of %d requests were not answered", n.Unanswered,
					n.Requests+n.Unanswered)},
				{Source: "source", Text: fmt.Sprintf("line %d makes a bufio.Writer. %s", place.Line, instead),
					Stack: stack},
			},
		}}}
	},
}

// notFlushed is the user's function, seen at work or waiting, that makes a bufio.Writer and does not flush it for each
// answer, and what its source has instead.
func (v *search) notFlushed() (at code.Place, stack []string, instead string) {
	for _, s := range v.EveryStack() {
		for i := range s.Frames {
			f := &s.Frames[i]
			if f.Origin != prof.Own {
				continue
			}
			if line, instead := v.File(f.File).Unflushed(int(f.Line)); line > 0 {
				p := f.Place()
				p.Line = int64(line)
				return p, s.Text(i, 0), instead
			}
		}
	}
	return code.Place{}, nil, ""
}

var filePerRequest = &Rule{
	Name: "file-per-request", Title: "files opened, written or synchronised for each request",
	Looks: "time in os.File's calls under the user's code, of the CPU and of the wall time of a request",
	Thresholds: []Threshold{
		{Name: "latency", Value: 0.10,
			Reason: "the wall time of a request has parts that no change of the program removes; a tenth is seen by users"},
	},
	Remedy: Remedy{
		Change: "Collect what several requests write and synchronise once for all of them (group commit), or hand it to a " +
			"goroutine that writes, if a crash may lose the last moments. Keep files open, and keep in memory what is read " +
			"each time.",
		Before: "f.Write(line)\nf.Sync() // in each request",
		After:  "pending <- line // one goroutine writes all that is pending, syncs once, and then answers",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, func(s *facts.Stack) int {
			if s.Find(isLog) >= 0 || s.Find(oneOf("os.(*File).Sync")) >= 0 && v.byWorker(s) {
				return -1
			}
			at := calls(usesFile)(s)
			if at >= 0 && v.isAnswer(s, at) {
				return -1
			}
			return at
		}, func(u *facts.Account) string { return fmt.Sprintf("%s runs for each request", u.Called()) })
		for _, f := range all {
			if v.looksAtEntries(f) {
				f.Remedy = listedNames
			} else if !writesFile(f.Title) && !strings.Contains(v.Statement(f.Place), "os.O_") { // else it opens to write
				f.Change = "Keep files open that are read again and again, and keep in memory what is small and rarely changes; " +
					"look again after a time, or when the modification time moves. A server whose work is to send files has to open " +
					"them: then this is the price."
				f.Before, f.After = "data, err := os.ReadFile(path) // in each request",
					"data, err := files.get(path) // read again when the modification time has moved"
			}
		}
		return append(all, v.waits(r, func(w facts.Wait) string {
			if syncs(w) {
				return fmt.Sprintf("requests wait for each other in %s", facts.Short(w.Behind.Outer))
			}
			if w.Own.State != walltime.Syscall || !fileCall(w.Own.Library) && !fileCall(w.Own.Outer) ||
				v.File(w.Own.File).SendsFile(w.Own.Line) {
				return ""
			}
			return fmt.Sprintf("a request spends %s in %s", units.Share(w.Share), facts.Short(w.Own.Library))
		})...)
	},
}

// byWorker says whether a stack is of a goroutine of the user's own that does in a loop what others leave to it: one
// sync may be for the requests of several.
func (v *search) byWorker(s *facts.Stack) bool {
	root := &s.Frames[len(s.Frames)-1]
	return root.Origin == prof.Own && v.File(root.File).InLoop(int(root.Line))
}

// writesFile says whether a title names a call that changes a file; WriteTo reads one.
func writesFile(title string) bool {
	title = strings.ReplaceAll(title, "WriteTo", "")
	for _, word := range []string{"Write", "Sync", "Create", "Rename", "Remove", "Mkdir", "Truncate"} {
		if strings.Contains(title, word) {
			return true
		}
	}
	return false
}

// syncs says whether a request waits at a lock for another one that writes to a disk: the file is why it is held for
// long. A wait at a channel for the one goroutine that writes is what group commit looks like.
func syncs(w facts.Wait) bool {
	return w.Own.State == walltime.Lock && w.Behind != nil && w.Behind.State == walltime.Syscall &&
		!writesLog(w.Behind.Outer) && (fileCall(w.Behind.Outer) || fileCall(w.Behind.Library))
}

func writesLog(function string) bool {
	f := facts.Frame{Function: function, Pkg: symbol.PackagePath(function), Origin: prof.Standard}
	return isLog(&f) || logPackage(f.Pkg)
}

func usesFile(f *facts.Frame) bool { return f.Origin == prof.Standard && fileCall(f.Function) }

func fileCall(function string) bool {
	f := facts.Frame{Function: function}
	return f.Is("os.(*File).*", "os.WriteFile", "os.ReadFile", "os.Open*", "os.Create*", "os.Stat", "os.Lstat",
		"os.Rename", "os.Remove*", "os.ReadDir", "os.MkdirAll")
}
