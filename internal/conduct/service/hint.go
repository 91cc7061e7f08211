package service

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/load"
)

// hintFor says what to try about the doubt that made the measurement invalid.
func (m *services) hintFor(invalid *lab.InvalidError) string {
	v := m.sideOf(invalid)
	hint := HintFor(m.Task, invalid.Doubt, m.targetOf(v), v.Draft.ID())
	if invalid.Doubt.Name == load.DoubtWrong && v.found != nil && onlyNotFound(v.timed.Account) {
		return hintForPorts(m.Task, v.found.Others) + hint
	}
	return hint
}

// onlyNotFound says that there were answers, and that all of them were 404.
func onlyNotFound(c load.Counts) bool {
	all, other := c.WrongStatuses.All()
	return c.Answered == 0 && other == 0 && len(all) == 1 && all[0].Code == http.StatusNotFound &&
		all[0].Count == c.Failed
}

// hintForPorts names the other ports of a program whose port, which hone took, has nothing at the path; empty without.
func hintForPorts(r lab.Task, others []string) (hint string) {
	for _, target := range others {
		hint += "another port of the program may have this path: " + r.Repeated("--target="+target) + "; "
	}
	return hint
}

// sideOf is the variant that made the measurement invalid.
func (m *services) sideOf(invalid *lab.InvalidError) *service {
	for _, v := range m.sides {
		if v.Letter == invalid.Letter {
			return v
		}
	}
	return m.sides[0]
}

// serverError is a status of 5xx in the list of causes: "(500: 6,484)".
var serverError = regexp.MustCompile(`[(;] ?5\d\d: `)

// HintFor says what to try about a doubt that made a measurement invalid. target is the URL
// as it was loaded, run the id of the run. Commands in it are whole, and stand at the end of
// a part, behind a colon; parts end with a semicolon.
func HintFor(r lab.Task, d load.Doubt, target, run string) string {
	scheme, _, _ := strings.Cut(target, "://")
	web := scheme == "http" || scheme == "https"
	longer := r.Repeated("--set=timeout=" + (10 * r.Plan.Timeout).String())
	switch d.Name {
	case load.DoubtWithheld, load.DoubtNoAnswer:
		return "look for a writer that is not flushed before the server waits for more input; if the service is only " +
			"slow: " + longer
	case load.DoubtUnmatched:
		if strings.Contains(d.Text, "--set ws.skip") {
			return hintForPushes(r)
		}
		return "the service answers, but with other ids than the requests had: check the scheme of the target, then " +
			"the service"
	case load.DoubtEndless:
		if !web {
			return "hone times whole answers; if these do end, allow them more time: " + longer
		}
		return "an answer without end is never whole; end each request after some messages: " +
			r.Repeated("--set=stream.messages=100") +
			"; or name a path whose answers end: " + r.Repeated("--path=/PATH") +
			"; if these do end, allow them more time: " + longer
	case load.DoubtWrong:
		if (scheme == "ws" || scheme == "wss") && strings.Contains(d.Text, load.Unsolicited.String()) {
			return hintForPushes(r)
		}
		if !web {
			return fmt.Sprintf("look at the causes above, and check that the program speaks %s on this port",
				cmp.Or(scheme, "the target's protocol"))
		}
		hint := "look at the causes above; to load another path: " + r.Repeated("--path=/PATH") +
			"; --set expect-status says which statuses are right"
		switch {
		case strings.Contains(d.Text, "503"):
			hint += "; if it answers 503 only until it is ready, wait for that: " +
				r.Repeated("--ready=http:"+cmp.Or(r.Path, "/"))
		case serverError.MatchString(d.Text):
			hint += "; if it answers so only until it is ready, name a line of its log that says when: " +
				r.Repeated("--ready=log:TEXT")
		}
		return hint
	case DoubtNeed:
		return "run its command by hand and look at what it writes; it has to stay up, and in the foreground, until " +
			"hone ends it"
	case DoubtAnswers:
		return hintForAnswers(r)
	case load.DoubtLive:
		return "the service closed connections, -c uses fewer; to see what it wrote: hone show " + run
	}
	return "run it again; if it stays, look at the machine: hone doctor"
}

// hintForPushes is what to try where a server of WebSocket sends messages that answer no request.
func hintForPushes(r lab.Task) string {
	return "the server sends messages that answer no request, as a server does that broadcasts; if its answers have " +
		"the id of a request, name its place: " +
		r.Repeated(`--body={"id": {n}}`, "--set=ws.id=id") + "; to leave out those that have a key, such as event: " +
		r.Repeated("--set=ws.skip=event") +
		"; to time what it sends by itself: " + r.Repeated("--set=stream.messages=100")
}
