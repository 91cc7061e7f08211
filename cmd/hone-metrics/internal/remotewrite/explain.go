package remotewrite

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// advice is what to do about an answer: the first entry whose statuses and words fit.
var advice = []struct {
	statuses []int    // none: any
	words    []string // any of them in the message; none: any message
	hint     string   // {window} is how far back the out-of-order window has to reach
}{
	{nil, []string{"native histograms are disabled"},
		"start that Prometheus with --enable-feature=native-histograms, or leave out the histograms"},
	{[]int{http.StatusBadRequest}, []string{"duplicate sample"},
		"the store has other values for these series at these times: add a label that tells the runs apart"},
	{[]int{http.StatusBadRequest}, []string{"out of order", "out of bounds", "too old"},
		"the store has newer samples, maybe these very ones from an earlier push, and takes no older ones: set " +
			"storage.tsdb.out_of_order_time_window to {window} or more in its configuration (Mimir: out_of_order_time_window " +
			"of the tenant), or push to a store without newer samples"},
	{[]int{http.StatusUnauthorized, http.StatusForbidden}, nil,
		"give a user name and password or a bearer token; Mimir also wants the header X-Scope-OrgID"},
	{[]int{http.StatusNotFound, http.StatusMethodNotAllowed}, nil,
		"Prometheus takes remote write at /api/v1/write, if it was started with --web.enable-remote-write-receiver"},
	{[]int{http.StatusRequestEntityTooLarge}, nil, "send fewer samples per request"},
	{[]int{http.StatusUnsupportedMediaType}, nil, "use the other protocol, 1.0 or 2.0"},
	{nil, []string{"PRW 2.0 response header"}, "the store does not know protocol 2.0: use 1.0"},
	{[]int{http.StatusTooManyRequests}, nil, "the store limits how fast it takes samples: try again later"},
}

// explain says which samples were not taken, why, and what to do. A request that was sent
// before may have been stored although its answer was lost, and is then out of order.
func (p *push) explain(what content, err error, sentBefore bool) error {
	kind := fail.BadInput // what the receiver refuses it will refuse again
	if p.line.answered == 0 || p.line.answered == http.StatusTooManyRequests || p.line.answered >= 500 {
		kind = fail.Environment
	}
	fault := fail.New(kind, "%s: %s: %w", p.name(), what, err)
	if sentBefore && p.line.answered == http.StatusBadRequest {
		fault = fail.New(kind, "%s: %s, sent more than once and maybe stored: %w", p.name(), what, err)
	}
	if p.line.location != "" {
		return fault.WithHint("the store is at %s now", p.line.location)
	}
	for _, a := range advice {
		if (a.statuses == nil || slices.Contains(a.statuses, p.line.answered)) && mentions(err.Error(), a.words) {
			return fault.WithHint("%s", strings.ReplaceAll(a.hint, "{window}", since(p.selection.From)))
		}
	}
	return fault
}

// mentions says whether a message has any of the words; none are in every message.
func mentions(message string, words []string) bool {
	if words == nil {
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(message, w) })
}

// since is how far back a time is, in whole hours and with one to spare, in the notation
// of Prometheus' configuration.
func since(t time.Time) string {
	return fmt.Sprintf("%dh", int(math.Ceil(time.Since(t).Hours()))+1)
}
