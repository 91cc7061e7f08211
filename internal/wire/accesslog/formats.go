package accesslog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/text/printable"
)

// The formats that are known without a word of the user, in nginx's notation. Variables that nginx does not have:
// $duration_ms and the like are durations with their unit; $time_go is a time as package log of Go writes it; $ident,
// $skip_... and $any_... are skipped.
const (
	common   = `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent`
	combined = common + ` "$http_referer" "$http_user_agent"`
	envoy    = `[$start_time] "$request_method $request_uri $server_protocol" $status $skip_flags `
	envoyEnd = `$bytes_received $bytes_sent $duration_ms $skip_upstream_time "$http_x_forwarded_for" "$http_user_agent" ` +
		`"$request_id" "$host" "$upstream_addr"`
	haproxy = `$remote_addr:$remote_port [$time] $skip_frontend $skip_backend ` +
		`$skip_q/$skip_w/$skip_c/$skip_r/$duration_ms $status $bytes_sent $skip_cookie $skip_set_cookie $skip_state $skip_connections $skip_queues `
)

// knownLayouts are these formats, those that say most of a line first.
var knownLayouts = sync.OnceValue(func() (all []*layout) {
	for _, known := range []struct{ name, format string }{
		{"traefik", combined + ` $skip_count "$skip_router" "$skip_server" ${duration_ms}ms`},
		{"combined", combined},
		{"combined", strings.Replace(combined, " - ", " $ident ", 1)},
		{"common", common},
		{"common", strings.Replace(common, " - ", " $ident ", 1)},
		{"envoy", envoy + envoyEnd}, // Envoy's documentation, "Access logging": default format string
		{"istio", envoy + `$skip_details $skip_end "$skip_failure" ` + envoyEnd},
		{"gin", `[GIN] $time_go | $status | $duration | $remote_addr | $request_method "$request_uri"`},
		{"chi", `$time_go [$request_id] "$request" from $remote_addr - $status ${bytes_written}B in $duration`},
		{"chi", `$time_go "$request" from $remote_addr - $status ${bytes_written}B in $duration`},
		{"haproxy", haproxy + `"$request"`}, // HAProxy's manual, 8.2.3: HTTP log format
		{"haproxy", haproxy + `$any_captured "$request"`},
	} {
		l, err := newLayout(known.name, known.format, true)
		if err != nil {
			panic("format " + known.name + ": " + err.Error()) // a test compiles all of them
		}
		all = append(all, l)
	}
	return all
})

// formatNames are the names of the known formats, once each.
func formatNames() string {
	var names []string
	for _, l := range knownLayouts() {
		if len(names) == 0 || names[len(names)-1] != l.name {
			names = append(names, l.name)
		}
	}
	return strings.Join(names, ", ")
}

// formats find out in which format a line is.
type formats struct {
	layouts []*layout
	// given says that the user named the format, so that no other is tried.
	given bool
	// bare is the first column with a number of which no format says what it means, after those of the format bareIn.
	bare   string
	bareIn *layout
	read   map[*layout]int // lines
}

// newFormats takes the format that the user gives: one of the known names, or a notation; "" stands for all known
// formats.
func newFormats(given string) (*formats, error) {
	f := &formats{given: given != "", read: map[*layout]int{}}
	for _, l := range knownLayouts() {
		if given == "" || l.name == given {
			f.layouts = append(f.layouts, l)
		}
	}
	if len(f.layouts) > 0 {
		return f, nil
	}
	l, err := newLayout("", given, false)
	f.layouts = []*layout{l}
	return f, err
}

// What collectors of logs put in front of a line: Kubernetes a time, the stream and F for a full line; docker compose
// the service; kubectl logs --prefix the pod.
var (
	containerPrefix = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\dT\S+ std(?:out|err) F |\[pod/\S+\] |[\w.-]+ +\| )`)
	colours         = regexp.MustCompile("\x1b\\[[0-9;]*m")
)

// parse reads a line. Another line is not ok.
func (f *formats) parse(text string) (e entry, ok bool) {
	text = text[len(containerPrefix.FindString(text)):]
	if strings.Contains(text, "\x1b[") {
		text = colours.ReplaceAllString(text, "")
	}
	isJSON := strings.HasPrefix(text, "{")
	if !isJSON || f.given {
		for _, l := range f.layouts {
			if e, ok = f.layout(l, text); ok {
				return e, true
			}
		}
	}
	switch {
	case isJSON:
		return f.parseJSON(text)
	case f.given:
		return entry{}, false
	}
	return parsePairs(text)
}

// layout reads a line in one of the formats.
func (f *formats) layout(l *layout, text string) (e entry, ok bool) {
	if !l.mayBe(text) {
		return e, false
	}
	e, tail, ok := l.entry(text)
	if !ok {
		return e, false
	}
	if f.read[l]++; tail != "" {
		f.tail(&e, l, tail)
	}
	return e, true
}

// parseJSON reads a line of JSON: an entry, or what Docker puts around a line of the program.
func (f *formats) parseJSON(text string) (entry, bool) {
	e, inner, ok := parseJSON(text)
	switch {
	case ok && !f.given:
		return e, true
	case inner != "" && !strings.HasPrefix(inner, `{"log"`):
		return f.parse(inner)
	}
	return entry{}, false
}

// tail reads the columns that a line has after those of its format. Their names say what they mean (rt=0.020); a number
// without one may be anything, and is left out.
func (f *formats) tail(e *entry, l *layout, text string) {
	r := &record{}
	for text != "" {
		var word string
		var quoted bool
		if word, text, quoted = nextWord(text); quoted {
			continue
		}
		if key, value, pair := strings.Cut(word, "="); pair {
			r.put([]string{key}, value)
		} else if _, err := strconv.ParseFloat(word, 64); err == nil && f.bare == "" {
			f.bare, f.bareIn = word, l
		}
	}
	if e.took.key == "" {
		e.took = r.took
	}
	for of, to := range map[field]*int64{body: &e.body, length: &e.length} {
		if n := r.size(of); n >= 0 && *to < 0 {
			*to = n
		}
	}
}

// notes say in which formats the lines were, and what of them has no meaning without the user's word. timed says that
// durations were read.
func (f *formats) notes(timed bool) (notes []string) {
	var most *layout
	for _, l := range f.layouts {
		if f.read[l] > 0 && (most == nil || f.read[l] > f.read[most]) {
			most = l
		}
	}
	if most != nil && most.name != "" {
		notes = append(notes, "its lines are in the format "+most.name)
	}
	if f.bare != "" && !timed {
		notes = append(notes,
			fmt.Sprintf("%s after the format %s has no name, so it is not read; if it is a duration, "+
				"say so: --set log.format='%s $request_time' (or $duration_ms or $duration_us at the end)",
				printable.Line(f.bare), f.bareIn.name, f.bareIn.format))
	}
	return notes
}
