package limit

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// behindTarget is the place behind the braces that name a target, as in p99{GET /items?a>1}<5ms; 0 where there are none
// in front of the operator.
func behindTarget(text string) int {
	open := strings.IndexByte(text, '{')
	if open < 0 || strings.ContainsAny(text[:open], "<>=!") {
		return 0
	}
	return open + strings.IndexByte(text[open:], '}') + 1
}

// cutTarget cuts p99{/items} into p99 and /items; of a name without braces the target is empty.
func cutTarget(text string) (name, target string) {
	if end := behindTarget(text); end > 0 && end == len(text) {
		name, target, _ = strings.Cut(text[:end-1], "{")
		return strings.TrimSpace(name), strings.TrimSpace(target)
	}
	return text, ""
}

// setTarget makes m a metric of one target, where it can be.
func (m *Metric) setTarget(target string) *fail.Error {
	if target == "" {
		return nil
	}
	if !(m.Latency() && m.Prefix == Headline) && m.Kind != Errors && m.Kind != Rate {
		return fail.New(fail.BadInput, "%s is not known of one target",
			*m).WithHint("of one target there are min, mean, max, stddev, pN, errors and rate")
	}
	m.Target = target
	return nil
}

// FindTarget is the number of the target that a user means: by its name, such as GET /items, or by its path alone. The
// error is a *fail.Error of kind BadInput with a hint.
func FindTarget(meant string, targets []string) (int, error) {
	if i := slices.Index(targets, meant); i >= 0 {
		return i, nil
	}
	var found, paths []string
	for _, name := range targets {
		path := name[strings.IndexByte(name, ' ')+1:]
		paths = append(paths, path)
		if path == meant {
			found = append(found, name)
		}
	}
	none := fail.New(fail.BadInput, "there is no target %q", meant)
	switch {
	case len(found) == 1:
		return slices.Index(targets, found[0]), nil
	case len(found) > 1:
		return 0, fail.New(fail.BadInput, "%q is more than one target", meant).WithHint("name one of %s",
			strings.Join(found, ", "))
	case len(targets) == 0:
		return 0, none.WithHint("there is one target only: leave out {%s}", meant)
	}
	if near := fail.Nearest(meant, slices.Concat(targets, paths)); near != "" {
		return 0, none.WithHint("did you mean %s?", near)
	}
	return 0, none.WithHint("targets are %s", strings.Join(targets, ", "))
}
