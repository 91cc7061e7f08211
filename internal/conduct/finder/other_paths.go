package finder

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/recognise"
)

// otherPaths tries what the program may serve where nothing of use is at /, and no request named
// a path. path is what to load instead of /; "" for /. It fails where the measurement would be one of error pages:
// nothing of the program's own answers, or a comparison has to know what it compares.
func (f *finder) otherPaths(ctx context.Context, best candidate) (path, note string, err error) {
	if best.use == recognise.Serves && !best.seen.Lists(f.routes().Paths) || f.Spec.Path != "" ||
		!plainGet(f.Spec.Protocol) {
		return "", "", nil
	}
	answering, silent := f.tryPaths(ctx, best)
	if f.exports(best, answering) {
		return metrics.Path, "; it is an exporter: nothing but its metrics answers; --path names another", nil
	}
	if best.use != recognise.Missing {
		if len(answering) == 0 {
			return "", "", nil
		}
		return "", "; " + strings.Join(answering, ", ") + " answer as well: --path names another", nil
	}
	if own := ownPaths(answering); len(own) > 0 && !f.Compared {
		return own[0], insteadNote(own), nil
	}
	if len(answering) > 0 && !f.Compared && f.showsAll(best) {
		note := "; of the paths that hone tried only " + strings.Join(answering, ", ") +
			" answers: --path names another"
		return answering[0], note, nil
	}
	return "", "", f.nothingAtRoot(best, answering, silent)
}

// nothingAtRoot is the error for a program that does not answer at /.
func (f *finder) nothingAtRoot(best candidate, answering, silent []string) error {
	what := fmt.Sprintf("the program listens on %s, which answers %q to GET /, and no path is named",
		f.shown(best.address()), best.seen.Line)
	forwards := ""
	if best.seen.Status == http.StatusBadGateway || best.seen.Status == http.StatusGatewayTimeout {
		forwards = "it forwards requests, and where it forwards this one nothing answers: check its rules, " +
			"or start that, too, with --need; or "
	}
	if len(answering) == 0 {
		err := fail.New(fail.BadInput, "%s; %s do not answer either", what, strings.Join(silent, ", "))
		if best.seen.Status == http.StatusServiceUnavailable {
			return err.WithHint("hone waited %v for it: if it needs longer: %s; or name a path that it serves: %s",
				f.awake(),
				f.repeated("--set=ready.timeout=1m"), f.repeated("--path=/PATH"))
		}
		return err.WithHint("%sname a path that it serves: %s", forwards, f.repeated("--path=/PATH"))
	}
	return fail.New(fail.BadInput, "%s; of the paths tried these answer: %s", what, strings.Join(answering, ", ")).
		WithHint("%sname one: %s", forwards, f.repeated("--path="+answering[0]))
}

// ownPaths are those of the paths that answer that are the program's own, what only says how it is last.
func ownPaths(answering []string) []string {
	own := slices.DeleteFunc(slices.Clone(answering),
		func(path string) bool { return slices.Contains(usualPaths, path) })
	slices.SortStableFunc(own, func(a, b string) int {
		switch small, other := aboutItself.MatchString(a), aboutItself.MatchString(b); {
		case small == other:
			return 0
		case small:
			return 1
		}
		return -1
	})
	return own
}

// aboutItself are paths that say how the program is, and not what it serves.
var aboutItself = regexp.MustCompile(`(?i)health|ready|alive|live|ping|status|version|metrics|debug|favicon|robots`)

// insteadNote says which path is loaded instead of /.
func insteadNote(own []string) string {
	if len(own) == 1 {
		return "; of its own paths " + own[0] + " answers: --path names another"
	}
	return "; of its own paths " + strings.Join(own, ", ") + " answer: --path names one"
}

// fileToServe is the path of a file of a directory, for servers of files: its page, else its README, else the first
// one; "" for none.
func fileToServe(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	best, bestRank := "", 0
	for _, e := range entries {
		name, rank := strings.ToLower(e.Name()), 1
		switch {
		case !e.Type().IsRegular() || strings.HasPrefix(name, "."):
			continue
		case strings.HasPrefix(name, "index.htm"):
			rank = 3
		case strings.HasPrefix(name, "readme"):
			rank = 2
		}
		if rank > bestRank {
			best, bestRank = "/"+url.PathEscape(e.Name()), rank
		}
	}
	return best
}

// exports says that the program is an exporter of metrics: of the paths that answer none is another's, and its page
// leads to the metrics, or it has no page.
func (f *finder) exports(best candidate, answering []string) bool {
	if len(ownPaths(answering)) > 0 || !slices.Contains(answering, metrics.Path) {
		return false
	}
	return best.seen.LeadsToMetrics() || f.showsAll(best)
}

// showsAll says that the program has no page at /, and no path in its source that hone could not try.
func (f *finder) showsAll(best candidate) bool {
	return best.seen.Status == http.StatusNotFound && !f.routes().Parameters
}
