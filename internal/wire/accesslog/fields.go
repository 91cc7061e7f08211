package accesslog

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/net/http/httpguts"
)

// field is what a name of a structured log stands for.
type field int

const (
	method field = iota
	target
	query
	line
	status
	moment
	answer
	body
	length
	client
	port
	agent
	inner
	fields
)

// names are those of each field, the best first. A name of a nested value is that of all its levels, or of the last alone.
// They are without signs and in lower case: see plainName.
var names = [fields][]string{
	method: {"method", "requestmethod", "httpmethod", "httprequestmethod", "reqmethod", "verb"},
	target: {"uri", "requesturi", "urloriginal", "url", "requesturl", "httptarget", "httpurl", "urlfull", "requrl", "path", "requestpath", "urlpath", "httppath", "endpoint"},
	query:  {"query", "urlquery", "rawquery", "querystring", "requestquery", "args"},
	line:   {"request", "requestline"},
	status: {"status", "statuscode", "httpstatus", "httpstatuscode", "responsestatus", "responsestatuscode", "httpresponsestatuscode", "respstatus", "downstreamstatus", "code"},
	moment: {"startutc", "ts", "time", "timestamp", "timeiso8601", "timelocal", "msec", "starttime", "datetime", "t"},
	answer: {"bodybytessent", "bytesout", "txbytes", "downstreamcontentsize", "responsesize", "responsebytes", "httpresponsebodysize", "httpresponsebodybytes",
		"responsebodysize", "httpresponsecontentlength", "respbytes", "respsize", "byteswritten", "size", "bytes", "bytessent", "written", "responselength"},
	body: {"bytesin", "rxbytes", "requestcontentsize", "requestbodysize", "httprequestbodysize", "httprequestbodybytes", "requestsize", "requestbytes", "reqbytes", "reqsize", "contentlength",
		"requestcontentlength", "httprequestcontentlength", "bytesread"},
	length: {"requestlength"},
	client: {"clientaddr", "remoteaddr", "remoteip", "clientip", "remote", "client", "peer", "clienthost", "clientaddress", "networkpeeraddress", "netsockpeeraddr", "netpeerip", "ip"},
	port:   {"remoteport", "clientport", "networkpeerport", "netsockpeerport", "netpeerport"},
	agent:  {"useragent", "httpuseragent", "useragentoriginal", "requestuseragent"},
	inner:  {"log"}, // of Docker: a line of the program
}

// rank says which field a name stands for, and how good it is.
type rank struct {
	field field
	place int
}

var known = func() map[string]rank {
	all := map[string]rank{}
	for f, some := range names {
		for i, name := range some {
			all[name] = rank{field(f), i}
		}
	}
	return all
}()

// plainName is a name without signs, in lower case: http.request.method, HTTPRequestMethod and http_request_method are one.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == 'µ':
			return c
		}
		return -1
	}, name)
}

// record is a structured line while it is read.
type record struct {
	texts   [fields]string
	places  [fields]int // of the name that a text stands under, from 1; 0: none yet
	took    took
	tookAt  int
	headers []string
}

// alone is added to the place of a name of which only the last level is known.
const alone = 100

// put takes a value that stands under a name of several levels.
func (r *record) put(levels []string, value string) {
	whole, last := plainName(strings.Join(levels, "")), plainName(levels[len(levels)-1])
	if whole == "requestlength" && len(levels) > 1 {
		whole = "requestbodysize" // in a group of a request it is not nginx's length of all of it
	}
	at, found := known[whole]
	place := at.place + 1
	if !found {
		at, found = known[last]
		place = at.place + 1 + alone
	}
	if old := r.places[at.field]; found && (old == 0 || place < old) {
		r.texts[at.field], r.places[at.field] = value, place
	}
	for worse, name := range []string{whole, last} {
		t, ok := tookOf(name, value)
		if place := 1 + tookPlace(name) + worse*alone; ok && (r.tookAt == 0 || place < r.tookAt) {
			t.key = levels[len(levels)-1]
			r.took, r.tookAt = t, place
		}
	}
}

// tookPlace is how good a name of a duration is.
func tookPlace(name string) int {
	for i, known := range tookNames {
		if strings.HasPrefix(name, known) {
			return i
		}
	}
	return len(tookNames)
}

// entry is what a line says of a request; not ok without a moment, or if it is about something else.
func (r *record) entry() (e entry, ok bool) {
	e = newEntry()
	e.method, e.target = r.texts[method], r.texts[target]
	if m, t := requestLine(r.texts[line]); m != "" && e.target == "" {
		e.method, e.target = m, t
	}
	if q := strings.TrimPrefix(r.texts[query], "?"); q != "" && q != "-" && !strings.Contains(e.target, "?") {
		e.target += "?" + q
	}
	e.status, _ = strconv.Atoi(r.texts[status])
	e.took, e.agent, e.headers = r.took, r.texts[agent], slices.Sorted(slices.Values(r.headers))
	for f, to := range map[field]*int64{answer: &e.answer, body: &e.body, length: &e.length} {
		if n, err := strconv.ParseInt(r.texts[f], 10, 64); err == nil && n >= 0 {
			*to = n
		}
	}
	if e.client = r.texts[client]; r.texts[port] != "" && !e.hasPort() {
		e.client = net.JoinHostPort(e.client, r.texts[port])
	}
	e.at, ok = parseTime(r.texts[moment])
	return e, ok && e.target != ""
}

// mostLevels bounds how deep values are looked for.
const mostLevels = 5

// parseJSON reads a line of JSON.
func parseJSON(text string) (entry, bool) {
	if !gjson.Valid(text) {
		return entry{}, false
	}
	r := &record{}
	r.object(nil, gjson.Parse(text))
	if e, ok := r.entry(); ok {
		return e, true
	}
	if held := strings.TrimSpace(r.texts[inner]); held != "" && !strings.HasPrefix(held, `{"log"`) {
		return parse(held)
	}
	return entry{}, false
}

func (r *record) object(levels []string, of gjson.Result) {
	of.ForEach(func(key, value gjson.Result) bool {
		name := key.String()
		here := append(levels[:len(levels):len(levels)], name)
		switch {
		case value.IsObject() && strings.HasSuffix(plainName(name), "headers"):
			if !strings.HasPrefix(plainName(name), "resp") {
				r.takeHeaders(value)
			}
		case value.IsObject() && len(here) < mostLevels:
			r.object(here, value)
		case value.Type == gjson.String, value.Type == gjson.Number:
			text := value.Str
			if value.Type == gjson.Number {
				text = value.Raw
			}
			r.put(here, text)
		}
		return true
	})
}

// keptHeaders are those that are sent again: what the work of an answer depends on, and no secret. Those that are different
// for each client are left out.
var keptHeaders = map[string]string{"accept": "Accept", "accept-encoding": "Accept-Encoding", "content-type": "Content-Type", "range": "Range"}

func (r *record) takeHeaders(of gjson.Result) {
	of.ForEach(func(key, value gjson.Result) bool {
		if value.IsArray() {
			value = value.Get("0")
		}
		if name, kept := keptHeaders[strings.ToLower(key.String())]; kept && httpguts.ValidHeaderFieldValue(value.String()) && !strings.ContainsAny(value.String(), "{}") {
			r.headers = append(r.headers, name+": "+value.String())
		}
		return true
	})
}

// parsePairs reads a line of key=value (logfmt), as slog's text handler writes it.
func parsePairs(text string) (entry, bool) {
	if !strings.Contains(text, "=") {
		return entry{}, false
	}
	r := &record{}
	for text != "" {
		key, rest, found := strings.Cut(strings.TrimLeft(text, " "), "=")
		if !found {
			break
		}
		if i := strings.LastIndexByte(key, ' '); i >= 0 {
			key = key[i+1:]
		}
		var value string
		value, text, _ = nextWord(rest)
		if key != "" {
			r.put(strings.Split(key, "."), value)
		}
	}
	return r.entry()
}
