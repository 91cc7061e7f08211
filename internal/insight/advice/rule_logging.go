package advice

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

var slowLogging = &Rule{
	Name: "slow-logging", Title: "log lines in the path of each request",
	Looks: "time and bytes under packages that write logs",
	Remedy: Remedy{
		Change: "Log less often than once per request, or sample. Where each line is needed, use typed attributes " +
			"(slog.LogAttrs, zap's Logger), which need no reflection and no map, and a handler that writes to a buffer " +
			"instead of a system call per line.",
		Before: "logger.WithFields(logrus.Fields{\"user\": user}).Info(\"served\")",
		After:  "logger.LogAttrs(ctx, slog.LevelInfo, \"served\", slog.String(\"user\", user))",
	},
	Find: func(v *search, r *Rule) []*found {
		return remedied(v.spendsTogether(r, v.withArguments(calls(isLog)), func(u *facts.Account) string {
			return fmt.Sprintf("log lines are written for each request by %s%s", facts.Short(u.Via),
				perRequest(u, "allocations"))
		}), loggingRemedies)
	},
}

var logArguments = &Rule{
	Name: "log-arguments", Title: "arguments built for log lines that are not written",
	Looks: "time in the arguments of calls of loggers whose own time shows that they write nothing",
	Remedy: Remedy{
		Change: "Arguments are computed before the logger looks at its level. Pass the values and let the logger format " +
			"them, or ask for the level first (logger.Enabled, logger.IsLevelEnabled); slog.LogValuer postpones the work.",
		Before: "log.Debug(fmt.Sprintf(\"state %v\", dump(state)))",
		After:  "if log.Enabled(ctx, slog.LevelDebug) { log.Debug(\"state\", \"dump\", dump(state)) }",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, func(s *facts.Stack) int {
			for i := range s.Frames {
				f := &s.Frames[i]
				if f.Origin != prof.Own {
					continue
				}
				if i > 0 && isLog(&s.Frames[i-1]) {
					return -1 // the logger's own time
				}
				if v.File(f.File).LogArgument(int(f.Line)) && !v.logs(f) {
					return i
				}
			}
			return -1
		}, func(u *facts.Account) string {
			return "arguments of a log call are built, and no line is written"
		})
	},
}

// logs says whether the user's line is seen to write a log line: a log package's output in a system call beneath it.
func (v *search) logs(line *facts.Frame) bool {
	for i := range v.Stacks {
		s := &v.Stacks[i]
		for j := 1; j < len(s.Frames); j++ {
			if f := &s.Frames[j]; f.Function == line.Function && f.Line == line.Line && isLog(&s.Frames[j-1]) &&
				(s.Kernel() || s.Find(func(f *facts.Frame) bool { return f.Is("os.(*File).*") }) >= 0) {
				return true
			}
		}
	}
	return false
}

// logPackage says whether a package writes logs: by its name, as log/slog, logrus and zap have it.
func logPackage(path string) bool {
	if path == "log" || strings.HasPrefix(path, "log/") {
		return true
	}
	for element := range strings.SplitSeq(path, "/") {
		switch name := strings.TrimPrefix(element, "go-"); name {
		case "log", "logr", "logrus", "zap", "zapcore", "zerolog", "klog", "glog", "hclog", "logger", "logging",
			"log15", "slog", "seelog", "logxi":
			return strings.Contains(path, ".") // a module, not a package of the standard library
		}
	}
	return false
}

// isLog says whether a frame writes a log line, or prepares one: by its package, and of other libraries by the name of
// the function or of its type.
func isLog(f *facts.Frame) bool {
	switch f.Origin {
	case prof.Standard:
		return logPackage(f.Pkg) || f.Is("fmt.Print", "fmt.Println", "fmt.Printf") // standard output is a log, too
	case prof.Dependency:
		return logPackage(f.Pkg) || logName.MatchString(f.Name)
	}
	return false
}

// logName takes LogEntry, logFormatter, accessLogWriter and their like.
var logName = regexp.MustCompile(`[lL]og(Entry|Event|Record|Line|Formatter|Writer)`)
