package promapi

import (
	"net/http"
	"net/url"
	"strings"
)

// request is one row of the table that hone and a packaged Prometheus both answer.
type request struct {
	name   string
	path   string
	form   url.Values
	method string // "" is GET

	// unordered says that Prometheus leaves the order of the results open.
	unordered bool
	// newer says why a Prometheus before version 3 answers otherwise.
	newer string
	// words says that only the words of the error are others there.
	words bool
	// chance says that the words of the error have an order that is left open.
	chance bool
	// own says what hone answers otherwise, on purpose.
	own string
}

const (
	query      = "/api/v1/query"
	queryRange = "/api/v1/query_range"
)

// Times are 7 s past a sample: at a sample itself, ranges of Prometheus 2 hold one more.
const (
	early  = "1767326707"     // 5 minutes and 7 s after base
	late   = "1767327007.5"   // 5 minutes later
	finish = "1767327307.007" // and 5 more
)

func instant(name, expression string, more ...string) request {
	return request{name: name, path: query, form: pairs(append([]string{"query", expression, "time", late},
		more...)...)}
}

func ranged(name, expression string, more ...string) request {
	return request{name: name, path: queryRange,
		form: pairs(append([]string{"query", expression, "start", early, "end", finish, "step", "60"}, more...)...)}
}

func list(name, path string, form ...string) request {
	return request{name: name, path: path, form: pairs(form...)}
}

func (r request) posted() request           { r.method = http.MethodPost; return r }
func (r request) anyOrder() request         { r.unordered = true; return r }
func (r request) since3(why string) request { r.newer = why; return r }
func (r request) otherWords() request       { r.words = true; return r }
func (r request) byChance() request         { r.chance = true; return r }
func (r request) only(why string) request   { r.own = why; return r }

func (r request) without(name string) request     { r.form.Del(name); return r }
func (r request) with(name, value string) request { r.form.Set(name, value); return r }

var requests = []request{
	// Values.
	instant("scalar", "1+1"),
	instant("scalars that are not finite", "1/0"),
	instant("large scalar", "1e22"),
	instant("string", `"a \"string\" with <html> and ☃"`),
	instant("vector", "up").anyOrder(),
	instant("vector (POST)", "up").anyOrder().posted(),
	instant("sorted vector", `sort_desc(hone_load_requests_failed_total)`),
	instant("empty vector", "absent_metric"),
	instant("range vector", "go_goroutines[1m]"),
	instant("odd numbers", "odd[10m]"),
	instant("rate", "rate(hone_load_requests_sent_total[2m])"),
	instant("sum", "sum by (job) (up)").anyOrder(),
	instant("classic quantile", "histogram_quantile(0.9, rate(classic_bucket[5m]))"),
	instant("stale series", `up{run="r2"}`),
	instant("offset", "go_goroutines offset 3m"),
	instant("at", "go_goroutines @ 1767326500"),
	instant("subquery", "max_over_time(go_goroutines[5m:30s])"),
	instant("regular expression", `{__name__=~"hone_.*_total", cause!=""}`).anyOrder(),
	list("at the time of RFC 3339", query, "query", "time()", "time", "2026-01-02T04:10:07.5+00:00"),
	list("at a negative time", query, "query", "time()", "time", "-1.5"),
	ranged("matrix", "up"),
	ranged("matrix (POST)", "up").posted(),
	ranged("matrix of a scalar", "1"),
	ranged("empty matrix", "absent_metric"),
	ranged("rates", "sum by (cause) (rate(hone_load_requests_failed_total[5m]))"),
	ranged("step as duration", "go_goroutines").with("step", "1m30s"),
	ranged("step of half a second", "go_goroutines").with("step", "0.5").with("end", "1767326717"),
	ranged("lookback", "go_goroutines", "lookback_delta", "10s").since3("2.42 does not know lookback_delta"),

	// Native histograms.
	instant("native histogram", "hone_load_latency_seconds"),
	instant("native histogram rate", "rate(hone_load_latency_seconds[2m])"),
	instant("native histogram quantile", "histogram_quantile(0.5, rate(hone_load_latency_seconds[2m]))").
		since3("2.42 interpolates linearly within a bucket"),
	instant("native histograms", "hone_load_latency_seconds[1m]"),
	instant("float histogram", "queue_seconds"),
	instant("empty histogram", "empty_seconds"),
	ranged("native histograms over time", "hone_load_latency_seconds"),
	ranged("histograms and floats", `{run="r1", __name__=~"queue_seconds|go_goroutines"}`),

	// Notes.
	instant("warning", "quantile(2, up)").since3("2.42 has no warnings of queries"),
	instant("limit of a vector", `sort(hone_load_requests_failed_total)`, "limit", "1").since3("2.42 has no limits"),
	ranged("limit of a matrix", "up", "limit", "2").since3("2.42 has no limits"),

	// Labels and series.
	list("labels", "/api/v1/labels"),
	list("labels (POST)", "/api/v1/labels").posted(),
	list("labels of a selector", "/api/v1/labels", "match[]", "up"),
	list("labels of two selectors", "/api/v1/labels", "match[]", "up", "match[]", "classic_bucket"),
	list("labels with a limit", "/api/v1/labels", "limit", "2").since3("2.42 has no limits"),
	list("labels of another time", "/api/v1/labels", "start", "0", "end", "1000"),
	list("values of a label", "/api/v1/label/__name__/values"),
	list("values of a label with a selector", "/api/v1/label/job/values", "match[]", `{run="r1"}`),
	list("values of a label with two selectors", "/api/v1/label/job/values", "match[]", `up`, "match[]",
		"go_goroutines"),
	list("values with a limit", "/api/v1/label/__name__/values", "limit", "3").since3("2.42 has no limits"),
	list("values of an unknown label", "/api/v1/label/nothing/values"),
	list("values from the beginning to the end", "/api/v1/label/run/values",
		"start", "-292273086-05-16T16:47:06Z", "end", "292277025-08-18T07:12:54.999999999Z"),
	list("series", "/api/v1/series", "match[]", "up").anyOrder(),
	list("series (POST)", "/api/v1/series", "match[]", "up").anyOrder().posted(),
	list("series of two selectors", "/api/v1/series", "match[]", "up", "match[]", `{job="subject"}`),
	list("series of nothing", "/api/v1/series", "match[]", "absent_metric"),
	list("series of another time", "/api/v1/series", "match[]", "up", "start", "0", "end", "1000"),

	// What the store lacks.
	list("rules", "/api/v1/rules"),
	list("alerts", "/api/v1/alerts"),
	list("exemplars", "/api/v1/query_exemplars", "query", "up", "start", early, "end", late),
	list("exemplars of no selector", "/api/v1/query_exemplars", "query", "1"),
	list("format", "/api/v1/format_query", "query", "sum(rate(  up [5m]))by(job)"),

	// Errors.
	instant("no query", "up").without("query").otherWords(),
	instant("parse error", "sum(up"),
	instant("parse error on the second line", "sum(\n  up up)"),
	instant("unknown function", "frobnicate(up)"),
	instant("wrong type", "rate(up)"),
	instant("wrong number of arguments", "rate(up[5m], 2)"),
	instant("many to many", "up + on (run) up").byChance(),
	instant("bad time", "up").with("time", "yesterday").otherWords(),
	instant("bad timeout", "up", "timeout", "soon"),
	instant("no time left", "up", "timeout", "0").only("Prometheus says at random where the time ran out"),
	instant("bad lookback", "up", "lookback_delta", "x").since3("2.42 does not know lookback_delta"),
	instant("bad limit", "up", "limit", "x").since3("2.42 has no limits"),
	instant("negative limit", "up", "limit", "-1").since3("2.42 has no limits"),
	ranged("no start", "up").without("start"),
	ranged("bad end", "up").with("end", "x"),
	ranged("end before start", "up").with("end", "1"),
	ranged("no step", "up").without("step"),
	ranged("step of nothing", "up").with("step", "0"),
	ranged("negative step", "up").with("step", "-1"),
	ranged("step beyond all times", "up").with("step", "1e12"),
	ranged("too many points", "up").with("step", "0.01"),
	ranged("range vector over time", "up[5m]").otherWords(),
	ranged("string over time", `"a"`).otherWords(),
	list("exemplars, parse error", "/api/v1/query_exemplars", "query", "sum("),
	list("exemplars that end first", "/api/v1/query_exemplars", "query", "up", "start", late, "end", early),
	list("format, parse error", "/api/v1/format_query", "query", "sum("),
	list("labels, parse error", "/api/v1/labels", "match[]", "up{"),
	list("labels, selector of everything", "/api/v1/labels", "match[]", `{job=~".*"}`),
	list("labels, bad time", "/api/v1/labels", "start", "x").otherWords(),
	list("values of a label that cannot be", "/api/v1/label/%ff/values").since3("2.42 knows plain words only"),
	list("series without selector", "/api/v1/series"),
	list("series, parse error", "/api/v1/series", "match[]", "up{"),
	list("series, selector of everything", "/api/v1/series", "match[]", "{}"),
	list("series, bad time", "/api/v1/series", "match[]", "up", "end", "x").otherWords(),
	list("metadata, bad limit", "/api/v1/metadata", "limit", "x"),

	// Where hone differs on purpose.
	list("time that is not a number", query, "query", "1", "time", "NaN").only("Prometheus makes some time of it"),
	list("time beyond all times", query, "query", "1", "time", "1e300").only("Prometheus makes some time of it"),
	ranged("step below a millisecond", "up").with("step", "0.0005").with("end", early).
		only("Prometheus divides by zero"),
	list("more points than a difference of times can hold", queryRange, "query", "1", "start", "-9e15", "end", "9e15",
		"step", "1e6").
		only("Prometheus stops at 292 years"),
	instant("too deep", strings.Repeat("-(", maxDepth/2)+"1"+
		strings.Repeat(")", maxDepth/2)).only("Prometheus has no such limit"),
	list("too long", query, "query", strings.Repeat("(", maxExpression+1)).only("Prometheus has no such limit"),
}
