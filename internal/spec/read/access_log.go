package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/accesslog"
	"github.com/gohone/hone/internal/wire/openapi"
)

// readAccessLog reads the log that --access-log names, and returns what there is to say of it.
func (f *Requests) readAccessLog(ctx context.Context) (said []string, err error) {
	files, err := logFiles(f.AccessLog)
	if err != nil {
		return nil, err
	}
	o := accesslog.Options{Methods: upper(f.Methods), Service: f.LogService, Format: f.LogFormat,
		Mixed: f.Traffic == spec.TrafficMix}
	if o.Body, err = f.bodies(); err != nil {
		return nil, err
	}
	log, err := accesslog.New(f.AccessLog, o)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if err := readLogFile(ctx, log, name); err != nil {
			return nil, err
		}
	}
	if f.list, f.Fit, err = log.Finish(); err != nil {
		return nil, err
	}
	return append(f.list.Summary(f.AccessLog, "lines"), f.Fit.Words()...), nil
}

func readLogFile(ctx context.Context, log *accesslog.Log, name string) error {
	file, err := inputs.AccessLog.Open(name)
	if err != nil {
		return fail.New(fail.Or(fail.BadInput, err), "--access-log: %w", err)
	}
	defer file.Close()
	return log.Read(ctx, name, file)
}

// logFiles are the files of a log: the one of that name, or those that a pattern matches, the oldest first.
func logFiles(name string) ([]string, error) {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return []string{name}, nil
	}
	all, err := filepath.Glob(name)
	if err != nil || len(all) == 0 {
		return []string{name}, nil // opening it says what is wrong
	}
	changed := map[string]int64{}
	for _, one := range all {
		info, err := os.Stat(one)
		if err != nil {
			return nil, fail.New(fail.BadInput, "--access-log: %w", err)
		}
		changed[one] = info.ModTime().UnixNano()
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(changed[a], changed[b]), cmp.Compare(a, b))
	})
	return all, nil
}

// fillPlace stands in --body for text that makes the body as long as that of the log.
const fillPlace = "{fill}"

// bodies makes the bodies of a log's requests, of --body or of --openapi.
func (f *Requests) bodies() (func(*wire.Request, int64) bool, error) {
	if f.OpenAPI != "" {
		text, err := openapi.ReadFile(f.OpenAPI)
		if err != nil {
			return nil, err
		}
		described, err := openapi.ReadBodies(f.OpenAPI, text)
		if err != nil {
			return nil, err
		}
		return func(r *wire.Request, _ int64) bool { return described.Fill(r) }, nil
	}
	text, err := readBody(f.Body)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	return func(r *wire.Request, size int64) bool {
		r.Body, r.Raw = filledTo(string(text), size), false
		return true
	}, nil
}

// filledTo makes a body of so many bytes, to two significant digits, where {fill} stands in it.
func filledTo(text string, size int64) []byte {
	before, after, ok := strings.Cut(text, fillPlace)
	if !ok {
		return []byte(text)
	}
	n := max(0, min(accesslog.TwoDigits(size), inputs.Body.Most)-int64(len(before)+len(after)))
	return []byte(before + fillText(int(n)) + after)
}

// fillText is text of n bytes: words, so that what packs or splits it has to do what it does with text.
func fillText(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strconv.FormatInt(int64(i)*2654435761%46655, 36))
		b.WriteByte(' ')
	}
	return b.String()[:n]
}

// enoughSamples are those with which hone cover knows a share of a half to 5 percent.
const enoughSamples = 400

// like makes the load that of the log, as far as the user did not say what it is, and returns what there is to say of
// it: what answers are right, rate and connections. A comparison, which measures what a request costs, has a closed
// loop, and so has a measurement that is too short for the log's rate.
func (f *Requests) like(set *spec.Set, s *spec.Spec) []string {
	if more := f.Fit.Expected(); len(more) > 0 && !set.Given("expect-status") {
		s.Protocol.Expect.Status = append([]string{"2xx", "3xx"}, more...)
	}
	if !set.Given("profile-time") {
		s.ProfileSamples = enoughSamples // a log's rate may be low, and then two seconds have few
	}
	if n := f.Fit.ShortLived(); n > 0 && !set.Given("per-connection") {
		s.Plan.PerConnection = n
	}
	if slices.ContainsFunc([]string{"connections", "rate", "depth", "find-max", "replay", "load-cmd"}, set.Given) {
		return nil
	}
	_, timed := set.Row("duration")
	_, loads := set.Row("replay")
	if f.Traffic == spec.TrafficReplay {
		s.Plan.Connections = f.Fit.Open()
		return nil
	}
	rate, open := f.Fit.RateHz, loads
	if timed && !loads {
		rate, open = f.Fit.OpenFor(s.Duration.Seconds())
	}
	if !open {
		var said string
		if s.Plan.Connections, said = f.Fit.Closed(); timed {
			said += fmt.Sprintf("; the log's rate (--rate %s) makes too few requests in this time",
				units.Digits(f.Fit.RateHz))
		}
		return []string{said}
	}
	s.Plan.Connections, s.Rate = f.Fit.Open(), strconv.FormatFloat(rate, 'f', 3, 64)
	if loads && f.Fit.Scattered() && !set.Given("arrivals") {
		s.Arrivals = "poisson"
	}
	than := ", as in the log"
	if rate > f.Fit.RateHz {
		than = fmt.Sprintf(" instead of %s, which are too few for %s", units.Digits(f.Fit.RateHz),
			units.Seconds(s.Duration))
	}
	return []string{fmt.Sprintf("the load: an open loop of %s requests a second%s, over %s", units.Digits(rate), than,
		units.Plural(s.Plan.Connections, "connection"))}
}
