package advice

import (
	"fmt"
	"go/ast"
	"path"
	"strings"

	"github.com/gohone/hone/prof"
)

// What the profile shows to be hot and only the source shows to be needless.

var quadraticLoop = &Rule{
	Name: "quadratic-loop", Title: "a search for each element",
	Looks: "hot lines in a loop inside of a loop over data, or that search a slice or string for each element of a loop",
	Change: "Put the elements that are searched into a map once, or sort them and use a binary search. The time then " +
		"grows with the number of elements and not with its square.",
	Before: "for _, x := range xs {\n\tif !slices.Contains(seen, x) { seen = append(seen, x) }\n}",
	After: "seen := make(map[T]bool, len(xs))\nfor _, x := range xs {\n" +
		"\tif !seen[x] { seen[x] = true; out = append(out, x) }\n}",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, func(s *stack) int {
			if s.cpu == 0 || s.kernel() {
				return -1
			}
			own := s.own(0)
			if own == len(s.frames) {
				return -1
			}
			for i := 0; i < own; i++ { // searches of the standard library count as the line's own time
				if f := &s.frames[i]; f.origin != prof.Runtime && !searches(f) {
					return -1
				}
			}
			// A function literal that package slices calls for each element is part of the line that calls slices.
			if lib := own + 1; lib < len(s.frames) && s.frames[lib].origin == prof.Standard &&
				searches(&s.frames[lib]) {
				if own = s.own(lib); own == len(s.frames) {
					return -1
				}
			}
			f := &s.frames[own]
			file := v.source(f.file)
			if file.searchInLoop(int(f.line)) != "" {
				return own
			}
			// A function of the user's that searches, called in a loop.
			if caller := own + 1; caller < len(s.frames) && s.frames[caller].origin == prof.Own &&
				(file.searchLoop(int(f.line)) || file.searchCall(int(f.line)) != nil) {
				if c := &s.frames[caller]; v.source(c.file).inLoop(int(c.line)) {
					return caller
				}
			}
			return -1
		}, func(u *use) string {
			if what := v.source(u.place.File).searchInLoop(int(u.place.Line)); what != "" {
				return what
			}
			return short(u.via) + " searches for each element of a loop"
		})
	},
}

func searches(f *frame) bool {
	switch f.pkg {
	case "slices", "strings", "bytes", "internal/bytealg", "internal/stringslite", "cmp":
		return true
	}
	return false
}

var constantHash = &Rule{
	Name: "constant-hash", Title: "a hash of what never changes",
	Looks:  "time under the hashes of crypto and hash where the source shows that the argument is a constant",
	Change: "Compute it once, in a package variable.",
	Before: "sum := sha256.Sum256([]byte(banner))",
	After:  "var bannerSum = sha256.Sum256([]byte(banner))", Mechanical: true,
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, calls(hashes), func(u *use) string {
			v.markRunning(u.place.File)
			what := v.source(u.place.File).constantHashed(int(u.place.Line))
			if what == "" {
				return ""
			}
			return fmt.Sprintf("%s hashes %s on each call", short(u.via), what)
		})
	},
}

var computedAnew = &Rule{
	Name: "computed-anew", Title: "what does not change, computed for each call",
	Looks: "time and bytes under functions of the user's that change nothing, and of which all that they read is seen " +
		"to be set before the load only",
	Change: "Compute it where what it is made of is set, or at the first call (sync.OnceValue), and keep the result.",
	Before: "nets := cfg.Networks() // in each request: parses cfg.Lists",
	After:  "nets: cfg.Networks(), // where the handler is made",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, v.computesSame, func(u *use) string {
			return fmt.Sprintf("%s computes the same for each call%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

// markRunning notes which functions of a file's package the CPU profile sees.
func (v *View) markRunning(file string) {
	source := v.source(file)
	if source.runs != nil {
		return
	}
	source.runs, source.entered = map[*ast.FuncDecl]bool{}, map[*ast.FuncDecl]bool{}
	for i := range v.stacks {
		s := &v.stacks[i]
		if s.cpu == 0 {
			continue
		}
		for j := range s.frames[:v.repeats(s)] {
			f := &s.frames[j]
			if path.Dir(f.file) != path.Dir(file) {
				continue
			}
			if fn := v.source(f.file).function(int(f.line)); fn != nil {
				source.runs[fn] = true
				source.entered[fn] = source.entered[fn] || !strings.Contains(f.name, ".func")
			}
		}
	}
}

// repeats is how many frames of a stack run again and again, from the innermost on. Of the main goroutine, main and
// what it calls run once, up to a loop or a library that serves.
func (v *View) repeats(s *stack) int {
	n := len(s.frames)
	for s.root() == "runtime.main" && n > 0 {
		f := &s.frames[n-1]
		if f.origin != prof.Own && f.origin != prof.Runtime {
			break
		}
		n--
		if f.origin == prof.Own && v.source(f.file).inLoop(int(f.line)) {
			break
		}
	}
	return n
}

func hashes(f *frame) bool {
	return f.origin != prof.Own && f.is("crypto/sha1.*", "crypto/sha256.*", "crypto/sha512.*", "crypto/md5.*",
		"crypto/sha3.*", "crypto/hmac.*", "hash/crc32.*", "hash/crc64.*", "hash/fnv.*", "hash/maphash.*",
		"hash/adler32.*", "crypto/internal/fips140/*", "golang.org/x/crypto/*", "github.com/cespare/xxhash*")
}

var logArguments = &Rule{
	Name: "log-arguments", Title: "arguments built for log lines that are not written",
	Looks: "time in the arguments of calls of loggers whose own time shows that they write nothing",
	Change: "Arguments are computed before the logger looks at its level. Pass the values and let the logger format " +
		"them, or ask for the level first (logger.Enabled, logger.IsLevelEnabled); slog.LogValuer postpones the work.",
	Before: "log.Debug(fmt.Sprintf(\"state %v\", dump(state)))",
	After:  "if log.Enabled(ctx, slog.LevelDebug) { log.Debug(\"state\", \"dump\", dump(state)) }",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, func(s *stack) int {
			for i := range s.frames {
				f := &s.frames[i]
				if f.origin != prof.Own {
					continue
				}
				if i > 0 && isLog(&s.frames[i-1]) {
					return -1 // the logger's own time
				}
				if v.source(f.file).logArgument(int(f.line)) && !v.logs(f) {
					return i
				}
			}
			return -1
		}, func(u *use) string {
			return "arguments of a log call are built, and no line is written"
		})
	},
}

// logs says whether the user's line is seen to write a log line: a log package's output in a system call beneath it.
func (v *View) logs(line *frame) bool {
	for i := range v.stacks {
		s := &v.stacks[i]
		for j := 1; j < len(s.frames); j++ {
			if f := &s.frames[j]; f.function == line.function && f.line == line.line && isLog(&s.frames[j-1]) &&
				(s.kernel() || s.find(func(f *frame) bool { return f.is("os.(*File).*") }) >= 0) {
				return true
			}
		}
	}
	return false
}
