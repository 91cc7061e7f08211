package accesslog

import (
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

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

// names are those of each field, the best first. A name of a nested value is that of all its levels, or of the last
// alone. They are without signs and in lower case: see plainName.
var names = [fields][]string{
	method: {"method", "requestmethod", "httpmethod", "httprequestmethod", "reqmethod", "verb"},
	target: {"requesturi", "uri", "documenturi", "urloriginal", "url", "requesturl", "httptarget", "httpurl", "urlfull",
		"requrl", "path", "requestpath", "urlpath", "httppath", "endpoint"},
	query: {"query", "urlquery", "rawquery", "querystring", "requestquery", "args"},
	line:  {"request", "requestline"},
	status: {"status", "statuscode", "httpstatus", "httpstatuscode", "responsestatus", "responsestatuscode",
		"httpresponsestatuscode", "respstatus", "downstreamstatus", "responsecode", "code"},
	moment: {"startutc", "ts", "time", "timestamp", "timeiso8601", "timelocal", "timego", "msec", "starttime",
		"datetime", "t"},
	answer: {"bodybytessent", "bytesout", "txbytes", "downstreamcontentsize", "responsesize", "responsebytes",
		"httpresponsebodysize", "httpresponsebodybytes",
		"responsebodysize", "httpresponsecontentlength", "respbytes", "respsize", "byteswritten", "size", "bytes",
		"bytessent", "written", "responselength"},
	body: {"bytesin", "rxbytes", "requestcontentsize", "requestbodysize", "httprequestbodysize", "httprequestbodybytes",
		"requestsize", "requestbytes", "reqbytes", "reqsize", "contentlength",
		"requestcontentlength", "httprequestcontentlength", "bytesread", "bytesreceived"},
	length: {"requestlength", "rl"},
	client: {"clientaddr", "remoteaddr", "remoteip", "clientip", "remote", "client", "peer", "clienthost",
		"clientaddress", "networkpeeraddress", "netsockpeeraddr", "netpeerip", "downstreamremoteaddress", "ip"},
	port:  {"remoteport", "clientport", "networkpeerport", "netsockpeerport", "netpeerport"},
	agent: {"useragent", "httpuseragent", "useragentoriginal", "requestuseragent"},
	inner: {"log"}, // of Docker: a line of the program
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

// plainName is a name without signs, in lower case: http.request.method, HTTPRequestMethod and http_request_method are
// one.
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
	unit    time.Duration // of durations that have none, by the program; 0: not known
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
	r.unit = cmp.Or(r.unit, unitOf(whole, value))
	durations := []string{whole, last}
	if whole == last {
		durations = durations[:1]
	}
	for worse, name := range durations {
		t, ok := tookOf(name, value)
		if place := 1 + tookPlace(name) + worse*alone; ok && (r.tookAt == 0 || place < r.tookAt) {
			t.key = levels[len(levels)-1]
			r.took, r.tookAt = t, place
		}
	}
}

// unitOf is the unit of a program's durations, where a name or value is one that only this program writes.
func unitOf(name, value string) time.Duration {
	switch {
	case name == "responseflags": // Envoy and Istio
		return time.Millisecond
	case name == "downstreamstatus": // Traefik
		return time.Nanosecond
	case name == "logger" && strings.HasPrefix(value, "http.log.access"): // Caddy
		return time.Second
	}
	return 0
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

// size is what a field says in bytes; negative: nothing.
func (r *record) size(of field) int64 {
	if n, err := strconv.ParseInt(r.texts[of], 10, 64); err == nil {
		return max(-1, n)
	}
	return -1
}

// entry is what a line says of a request; not ok without a moment.
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
	if e.took.key != "" && e.took.unit == 0 {
		e.took.unit = r.unit
	}
	e.answer, e.body, e.length = r.size(answer), r.size(body), r.size(length)
	if e.client = r.texts[client]; r.texts[port] != "" && !e.hasPort() {
		e.client = net.JoinHostPort(e.client, r.texts[port])
	}
	e.at, ok = parseTime(r.texts[moment])
	return e, ok
}

// mostLevels bounds how deep values are looked for.
const mostLevels = 5

// parseJSON reads a line of JSON. held is the line of a program that it holds.
func parseJSON(text string) (e entry, held string, ok bool) {
	if !gjson.Valid(text) {
		return entry{}, "", false
	}
	r := &record{}
	r.object(nil, gjson.Parse(text))
	e, ok = r.entry()
	return e, strings.TrimSpace(r.texts[inner]), ok && e.target != ""
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

// keptHeaders are those that are sent again: what the work of an answer depends on, and no secret. Those that are
// different for each client are left out.
var keptHeaders = map[string]string{"accept": "Accept", "accept-encoding": "Accept-Encoding",
	"content-type": "Content-Type", "range": "Range"}

func (r *record) takeHeaders(of gjson.Result) {
	of.ForEach(func(key, value gjson.Result) bool {
		if value.IsArray() {
			value = value.Get("0")
		}
		if name, kept := keptHeaders[strings.ToLower(key.String())]; kept &&
			httpguts.ValidHeaderFieldValue(value.String()) && !strings.ContainsAny(value.String(), "{}") {
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
	e, ok := r.entry()
	return e, ok && e.target != ""
}
