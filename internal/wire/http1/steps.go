package http1

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// steps is HTTP/1.1 with a sequence of requests on each connection. An answer without
// a value that its step takes is wrong (load.WrongBody). After a wrong answer the sequence
// begins again with its first step.
type steps struct {
	steps   []*compiledStep
	first   int    // the first step that is not Once
	columns int    // of the feed; the values that are taken stand after them
	kept    []bool // of the columns: with the value of the connection's first row
	rows    [][]string
	names   []string  // of all values: columns, then what is taken
	mix     turns.Mix // to walk the rows
	streams wire.Streams
	number  atomic.Uint64 // of the next request, for steps with {n}
}

// compiledStep is one step as it is sent and judged.
type compiledStep struct {
	label   string
	line    string // method and path without query, up to the first value in it
	open    bool   // there is a value in it
	request *request
	checks  *answer.Checks
	takes   []answer.Take
	head    bool
	once    bool
	// numbered says that the number of the request is in it.
	numbered bool
	inHead   bool // it takes something of the head
	missed   []atomic.Uint64
}

// maxSteps bounds a sequence.
const maxSteps = 1000

// newSteps builds the sequence of o for the address of u.
func newSteps(u *url.URL, o wire.Options) (load.Protocol, error) {
	refuse := func(hint, format string, args ...any) (load.Protocol, error) {
		return nil, fail.New(fail.BadInput, format, args...).WithHint("%s", hint)
	}
	switch {
	case o.Method != "" || len(o.Body) > 0:
		return refuse("leave out --method, --body, --curl, --har, --access-log and --openapi, and give one target",
			"steps say all requests themselves")
	case wire.IsSet(o.Expect):
		return refuse("write expect-status, expect-body or expect-json into the step that they are for",
			"steps have checks of their own")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "":
		return refuse("give the host and port alone", "the target has the path %q, and steps have their own",
			u.RequestURI())
	case len(o.Requests) > maxSteps:
		return refuse("take fewer", "%d steps, want at most %d", len(o.Requests), maxSteps)
	case httpmsg.AsksToClose(o.Headers):
		return refuse("leave out the header Connection", "a sequence of steps needs a connection that stays")
	}
	p := &steps{first: -1, streams: o.Streams}
	if o.Feed != nil {
		if err := o.Feed.Validate(); err != nil {
			return nil, err
		}
		p.names, p.rows, p.columns = slices.Clone(o.Feed.Names), o.Feed.Rows, len(o.Feed.Names)
		p.mix.Rows = o.Feed.Rows
	}
	p.mix.Round = make([]turns.Turn, 1)
	p.kept = make([]bool, p.columns)
	for i, step := range o.Requests {
		s, err := p.compile(u, o, i)
		if err != nil {
			return nil, fail.New(fail.BadInput, "step %d%s: %w", i+1, labelled(step.Name), err).WithHint("%s",
				fail.HintOf(err))
		}
		switch {
		case !step.Once && p.first < 0:
			p.first = i
		case step.Once && p.first >= 0:
			return refuse("put it in front of the steps that repeat",
				"step %d%s is once, and stands after one that repeats", i+1, labelled(step.Name))
		}
		p.steps = append(p.steps, s)
	}
	if p.first < 0 {
		return refuse("leave out once: true of the last step",
			"all steps are once: there would be nothing to send after them")
	}
	return p, nil
}

func labelled(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", name)
}

// usedBy is the first of the steps that the value of a name goes into, or otherwise the step that takes it.
func usedBy(steps []wire.Request, name string, otherwise wire.Request) wire.Request {
	for _, s := range steps {
		if strings.Contains(strings.Join(s.Headers, "\n")+s.Path+string(s.Body), "{"+name+"}") {
			return s
		}
	}
	return otherwise
}

// compile builds one step. The names of what it takes are known to the steps after it.
func (p *steps) compile(u *url.URL, o wire.Options, i int) (*compiledStep, error) {
	step := o.Requests[i]
	place, err := httpmsg.PathURL(u, step.Path)
	if err != nil {
		return nil, fail.New(fail.BadInput, "path %q: %w", step.Path,
			err).WithHint("a path begins with / and is encoded: /a%%20b?c=d")
	}
	own := o.Of(step)
	own.Feed = p.known()
	if own.Method, err = httpmsg.Method(own); err != nil {
		return nil, err
	}
	method := own.Method
	if httpmsg.AsksToClose(own.Headers) {
		return nil, fail.New(fail.BadInput,
			"the header Connection ends the connection that the sequence needs").WithHint("leave it out")
	}
	s := &compiledStep{label: method + " " + redact.URL(step.Path), head: method == "HEAD", once: step.Once}
	if step.Name != "" {
		s.label = step.Name
	}
	s.line, _, s.open = strings.Cut(method+" "+httpmsg.WithoutQuery(step.Path), "{")
	if err := p.checkNames(step.Path, own.Headers); err != nil {
		return nil, err
	}
	if o.Feed != nil {
		for _, line := range own.Headers {
			name, value, _ := strings.Cut(line, ":")
			if err := o.Feed.CheckHeader(name, value); err != nil {
				return nil, err
			}
		}
	}
	if s.checks, err = answer.NewChecks(step.Expect, method, own.Headers); err != nil {
		return nil, err
	}
	if s.request, s.numbered, err = newRequest(place, own); err != nil {
		return nil, err
	}
	if step.Once {
		p.keepColumns(s.request)
	}
	s.missed = make([]atomic.Uint64, len(step.Take))
	for _, t := range step.Take {
		compiled, err := p.compileTake(t)
		if err != nil {
			return nil, err
		}
		if t.Cookie != "" {
			compiled.Cookie = &answer.Cookie{
				Name: t.Cookie, Host: u.Hostname(), TLS: u.Scheme == "https",
				From: httpmsg.WithoutQuery(step.Path),
				To:   httpmsg.WithoutQuery(usedBy(o.Requests[i+1:], t.Name, step).Path),
			}
		}
		if s.head && compiled.OfBody() {
			return nil, fail.New(fail.BadInput, "take %s: answers to HEAD have no body",
				t.Name).WithHint("take it from a header, or use GET")
		}
		if compiled.OfBody() && answer.AsksForCoding(own.Headers) {
			return nil, fail.New(fail.BadInput, "take %s: Accept-Encoding lets the server compress the body",
				t.Name).WithHint("leave the header Accept-Encoding out")
		}
		s.takes = append(s.takes, compiled)
		s.inHead = s.inHead || !compiled.OfBody()
	}
	return s, nil
}

// known is the values so far, as a feed of one row that templates can be made for.
func (p *steps) known() *wire.Feed {
	if len(p.names) == 0 {
		return nil
	}
	return &wire.Feed{Names: slices.Clone(p.names), Rows: [][]string{make([]string, len(p.names))}}
}

// checkNames refuses a {word} in a path or a header that stands for nothing.
func (p *steps) checkNames(path string, headers []string) error {
	for _, text := range append([]string{path}, headers...) {
		for rest := text; ; {
			_, behind, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			rest = behind
			word, _, ok := strings.Cut(rest, "}")
			if _, own, err := wire.PlaceOf(word); err != nil || own {
				continue // newRequest says what is wrong
			}
			if !ok || !wire.IsWord(word) || "{"+word+"}" == wire.PortTemplate || slices.Contains(p.names, word) {
				continue
			}
			return fail.New(fail.BadInput, "{%s} is neither taken by a step before nor a column of the feed", word).
				WithHint("known here are: %s", strings.Join(append(slices.Clone(p.names), "no others"), ", "))
		}
	}
	return nil
}

// keepColumns keeps the columns that a step uses which is sent once: the steps after it go with
// the same user.
func (p *steps) keepColumns(r *request) {
	for _, t := range []wire.Template{r.head, r.body} {
		for _, one := range t {
			if one.Column >= 0 && one.Column < p.columns {
				p.kept[one.Column] = true
			}
		}
	}
}

var _ wire.Noter = (*steps)(nil)

// Notes implements Noter: which values were missing.
func (p *steps) Notes() (all []string) {
	for i, s := range p.steps {
		for _, first := range s.checks.First.Notes() {
			all = append(all, fmt.Sprintf("step %d (%s): %s", i+1, s.label, first))
		}
		for k := range s.missed {
			if n := s.missed[k].Load(); n > 0 {
				all = append(all,
					fmt.Sprintf("step %d (%s): {%s} was missing in %d answers, which are wrong; the sequence began again", i+1, s.label, p.names[s.takes[k].Value], n))
			}
		}
	}
	return all
}

// compileTake compiles a take and gives its value a number: several steps may take the
// same value anew.
func (p *steps) compileTake(t wire.Take) (answer.Take, error) {
	if err := t.Check(); err != nil {
		return answer.Take{}, err
	}
	i := slices.Index(p.names, t.Name)
	switch {
	case i >= 0 && i < p.columns:
		return answer.Take{}, fail.New(fail.BadInput, "take %s: a column of the feed has that name",
			t.Name).WithHint("give the value another name")
	case i < 0:
		i = len(p.names)
		p.names = append(p.names, t.Name)
	}
	out := answer.Take{Value: i, JSON: t.JSON, Header: []byte(t.Header), HTML: t.HTML}
	if t.Regex != "" {
		out.Regex = regexp.MustCompile(t.Regex) // check has compiled it
	}
	return out, nil
}
