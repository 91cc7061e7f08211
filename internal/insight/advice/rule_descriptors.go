package advice

import (
	"fmt"
	"go/ast"
	"math"
	"path"
	"slices"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

var descriptorLeak = &Rule{
	Name: "descriptor-leak", Title: "files and connections that are not closed",
	Looks: "a number of open descriptors that rises with the requests, and where the user's code opens some",
	Thresholds: []Threshold{
		{Name: "per request", Value: 0.005,
			Reason: "one in two hundred requests: a handler that leaks on a rare path still shows"},
		{Name: "descriptors", Value: 50, Reason: "connections that come and go move the number by a few tens"},
	},
	Change: "Close what is opened, on all ways out: defer f.Close() after the error is checked, and resp.Body.Close() " +
		"for each answer of an HTTP client.",
	Before: "f, err := os.Open(name)\nif err != nil { return err }\nreturn use(f)",
	After:  "f, err := os.Open(name)\nif err != nil { return err }\ndefer f.Close()\nreturn use(f)",
	Find: func(v *View, r *Rule) []*found {
		g := v.Numbers.Growth
		opened := g.Descriptors * float64(g.Requests) * float64(max(1, g.Starts))
		if g.Descriptors < r.threshold("per request") || opened < r.threshold("descriptors") {
			return nil
		}
		o, ok := v.opens()
		if !ok {
			return nil
		}
		closes := "and its function closes nothing"
		if o.closed {
			closes = "and it is not closed on all ways"
		}
		return []*found{{Finding: Finding{
			Title: fmt.Sprintf("%s descriptors per request are not closed", digits(g.Descriptors)), Place: o.place,
			Measure: Growing, Endless: true,
			Cost: min(1, g.Descriptors), Gain: min(1, g.Descriptors),
			Evidence: []Evidence{
				{Source: "timeline", Text: fmt.Sprintf("%s more are open after %s",
					units.Plural(int(math.Round(g.Descriptors*float64(g.Requests))), "descriptor"), g.over())},
				{Source: "source", Text: fmt.Sprintf("%s opens one here, %s", o.call, closes)},
			},
		}}}
	},
}

// opening is a call that opens a descriptor.
type opening struct {
	place Place
	call  string
	// closed says that its function closes something.
	closed bool
}

// opens is the user's call that opens what is not closed: the only one, or the first whose function closes nothing.
func (v *View) opens() (o opening, ok bool) {
	var all []opening
	seen := map[string]bool{}
	for _, s := range v.everyStack() {
		for i := range s.frames {
			f := &s.frames[i]
			if dir := path.Dir(f.file); f.origin == prof.Own && f.file != "" && !seen[dir] {
				seen[dir] = true
				all = append(all, v.packageIn(dir).openings(f.pkg)...)
			}
		}
	}
	slices.SortFunc(all, func(a, b opening) int { return comparePlaces(a.place, b.place) })
	if i := slices.IndexFunc(all, func(o opening) bool { return !o.closed }); i >= 0 {
		return all[i], true
	}
	if len(all) == 1 {
		return all[0], true
	}
	return o, false
}

// openers are functions that open a descriptor, by their package. What main opens is open for as long as the program
// runs.
var openers = map[string][]string{
	"os":       {"Open", "OpenFile", "OpenRoot", "Create", "CreateTemp", "Pipe", "StartProcess"},
	"net":      {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialUnix", "ListenPacket", "ListenUDP"},
	"net/http": {"Get", "Post", "PostForm", "Head"},
	"syscall":  {"Open", "Socket"},

	"crypto/tls": {"Dial", "DialWithDialer"}, "golang.org/x/sys/unix": {"Open", "Socket"}, "database/sql": {"Open"},
}

// openings are the calls of a package that open a descriptor.
func (p *sourcePackage) openings(pkg string) (all []opening) {
	for name, file := range p.files {
		f := &sourceFile{p, file}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv == nil && (fn.Name.Name == "main" || fn.Name.Name == "init") {
				continue
			}
			closed := false
			var found []opening
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				callee := calleeName(c)
				closed = closed || callee == "Close"
				if from := f.packageOf(c); slices.Contains(openers[from], callee) {
					at := Place{Function: pkg + "." + fn.Name.Name, File: name, Line: int64(f.line(c.Pos()))}
					found = append(found, opening{place: at, call: path.Base(from) + "." + callee})
				}
				return true
			})
			for _, o := range found {
				o.closed = closed
				all = append(all, o)
			}
		}
	}
	return all
}
