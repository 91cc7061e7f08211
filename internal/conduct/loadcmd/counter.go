package loadcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire/answer"
)

// expvarPrefix begins the name of a number among the program's expvar.
const expvarPrefix = "expvar:"

const (
	// mostPage is the largest page of metrics that is read, in bytes.
	mostPage = 32 << 20
	// pageTimeout is how long a page may take.
	pageTimeout = 5 * time.Second
	// textType is what a page without a type is taken for.
	textType = "text/plain"
)

// counter reads a number of operations from a page of the program.
type counter struct {
	name   string
	url    string
	client *http.Client
	read   func(body []byte, contentType string) (float64, error)
}

// checkCounter reads the name of a counter.
func checkCounter(name string) error {
	if path, ok := strings.CutPrefix(name, expvarPrefix); ok {
		if path == "" {
			return fail.New(fail.BadInput, "--set load-cmd.metric=%s names no variable",
				name).WithHint("write expvar:requests, or expvar:stats.requests for one in a map")
		}
		return nil
	}
	if _, err := matchers(name); err != nil {
		return fail.New(fail.BadInput, "--set load-cmd.metric=%s: %w", name, err).
			WithHint("write a counter of the program's /metrics page, such as http_requests_total{code=\"200\"}, or expvar:PATH")
	}
	return nil
}

// newCounter returns the counter of a target; page is empty for the usual one on the address under load.
func newCounter(name, page string, dial func(ctx context.Context) (net.Conn, error)) (*counter, error) {
	c := &counter{name: name, url: "http://program/metrics"}
	if path, ok := strings.CutPrefix(name, expvarPrefix); ok {
		c.url = "http://program/debug/vars"
		c.read = func(body []byte, _ string) (float64, error) { return readExpvar(body, path) }
	} else {
		all, err := matchers(name)
		if err != nil {
			return nil, err
		}
		c.read = func(body []byte, contentType string) (float64, error) { return readMetric(body, contentType, all) }
	}
	transport := &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }}
	if page != "" {
		c.url, transport.DialContext = page, nil
	}
	c.client = &http.Client{Transport: transport, Timeout: pageTimeout}
	return c, nil
}

// value is the counter's value now.
func (c *counter) value(ctx context.Context) (float64, error) {
	v, err := c.get(ctx)
	if err != nil {
		shown := strings.Replace(c.url, "http://program", "the port under load: ", 1)
		return 0, fail.New(fail.BadInput, "read --set load-cmd.metric=%s from %s: %w", c.name, shown, err).
			WithHint("see which counters the page has; --metrics URL names another page, {port} and {port2} filled in")
	}
	return v, nil
}

func (c *counter) get(ctx context.Context) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Accept", textType)
	response, err := c.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("it answers %s", response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostPage+1))
	switch {
	case err != nil:
		return 0, err
	case len(body) > mostPage:
		return 0, fmt.Errorf("the page has more than %d bytes", mostPage)
	}
	return c.read(body, response.Header.Get("Content-Type"))
}

var errNotThere = errors.New("it is not there")

// readMetric is the sum of the series that match, of a page in one of Prometheus' formats.
func readMetric(body []byte, contentType string, all []*labels.Matcher) (float64, error) {
	sum, err := sumOf(body, contentType, all)
	if err == nil || errors.Is(err, errNotThere) {
		return sum, err
	}
	if mended, kind, _, ok := metricname.Mend(body, contentType); ok {
		return sumOf(mended, kind, all)
	}
	return sum, err
}

func sumOf(body []byte, contentType string, all []*labels.Matcher) (sum float64, err error) {
	p, err := metricname.Parser(body, contentType)
	if err != nil {
		return 0, err
	}
	found := false
	for {
		entry, err := p.Next()
		switch {
		case errors.Is(err, io.EOF) && !found:
			return 0, errNotThere
		case errors.Is(err, io.EOF):
			return sum, nil
		case err != nil:
			return 0, err
		case entry != textparse.EntrySeries:
			continue
		}
		_, _, value := p.Series()
		var series labels.Labels
		p.Labels(&series)
		if matches(all, series) {
			sum, found = sum+value, true
		}
	}
}

func matches(all []*labels.Matcher, series labels.Labels) bool {
	for _, m := range all {
		if !m.Matches(series.Get(m.Name)) {
			return false
		}
	}
	return true
}

// readExpvar is the number at a path of names in the JSON of package expvar. Names may have points.
func readExpvar(body []byte, path string) (float64, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		if fault := answer.JSONFault(body); fault != "" {
			return 0, fmt.Errorf("it is %s, %s: %s", units.Plural(len(body), "byte"), answer.Front(body), fault)
		}
		return 0, fmt.Errorf("it is not an object of package expvar, but %s", answer.Front(body))
	}
	if raw, ok := all[path]; ok {
		var n float64
		if err := json.Unmarshal(raw, &n); err != nil {
			return 0, errors.New("it is not a number")
		}
		return n, nil
	}
	for i := range path {
		if path[i] != '.' {
			continue
		}
		if raw, ok := all[path[:i]]; ok {
			return readExpvar(raw, path[i+1:])
		}
	}
	return 0, errNotThere
}

// between is the number of operations between two values.
func between(before, after float64) (uint64, error) {
	if n := after - before; n >= 0 && n <= mostOps {
		return uint64(math.Round(n)), nil
	}
	return 0, fmt.Errorf("it went from %g to %g, and a counter only goes up", before, after)
}
