package pprofweb

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"sync"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// mounting is held while pprof makes its handlers: it sets variables of its package then,
// without a lock. What it makes does not read them.
var mounting sync.Mutex

// handlers are pprof's own for a profile, by path ("/top"). pprof keeps the profile.
func handlers(p *profile.Profile) (map[string]http.Handler, error) {
	var made map[string]http.Handler
	options := &driver.Options{
		Fetch: fetcher{p}, Flagset: flags{}, UI: silentUI{}, Sym: noSymbols{}, Obj: noObjects{},
		Writer: noWriter{}, HTTPTransport: noNetwork{},
		HTTPServer: func(args *driver.HTTPServerArgs) error {
			made = args.Handlers
			return nil
		},
	}
	mounting.Lock()
	defer mounting.Unlock()
	if err := driver.PProf(options); err != nil {
		return nil, err
	}
	if made == nil {
		return nil, errors.New("pprof made no pages")
	}
	return made, nil
}

// mounted is one profile with its pages.
type mounted struct {
	Profile
	// home is the address of the list, path that of the profile; both end in a slash: /cpu/, /diff/cpu/.
	home, path string
	// shown is the profile, or the difference; it is not changed any more.
	shown *profile.Profile
	// factor is what the base was multiplied by; 0 for none.
	factor float64
	pages  map[string]http.Handler
}

func mount(below string, p Profile) (*mounted, error) {
	m := &mounted{Profile: p, home: below + "/", path: below + p.Path()}
	var err error
	if p.Base == nil {
		m.shown, err = prepare(p.Capture)
	} else {
		m.shown, m.factor, err = difference(p.Capture, *p.Base)
	}
	if err != nil {
		return nil, err
	}
	m.pages, err = handlers(m.shown.Copy())
	if err != nil {
		return nil, fmt.Errorf("pprof: %w", err)
	}
	// They write the user's settings, and a GET is enough for that.
	delete(m.pages, "/saveconfig")
	delete(m.pages, "/deleteconfig")
	for path, page := range m.pages {
		m.pages[path] = m.dress(page)
	}
	m.pages["/source"] = http.HandlerFunc(m.source)
	m.pages["/disasm"] = m.notice(http.StatusNotImplemented, "Instructions", "Instructions are read from the program, and these pages open no program. This shows them:",
		"hone profile disasm FUNCTION RUN --binary FILE")
	if _, err := exec.LookPath("dot"); err != nil {
		m.pages["/graph"] = m.notice(http.StatusNotImplemented, "Graph", "The graph is drawn by dot, which is not installed (package graphviz). This writes it for a dot elsewhere:",
			"hone profile graph RUN | dot -Tsvg")
	}
	if m.Base == nil {
		if m.pages["/download"], err = download(p); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// download hands out the capture as it was, without what prepare takes away.
func download(p Profile) (http.Handler, error) {
	var file bytes.Buffer
	c := p.Capture
	c.Profile = c.Profile.Copy() // Write changes it for a moment
	if err := c.Write(&file); err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.google.protobuf+gzip")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", p.Kind()+".pb.gz"))
		_, _ = w.Write(file.Bytes()) // who went away needs no answer
	}), nil
}

// register puts the pages into a mux below the path.
func (m *mounted) register(mux *http.ServeMux) {
	for path, page := range m.pages {
		pattern := m.path + path[1:]
		if path == "/" {
			pattern += "{$}" // that path only; without it pprof would answer for all below
		}
		mux.Handle(pattern, page)
	}
}

// knownKind says whether Go programs have such profiles.
func knownKind(name string) bool {
	return slices.ContainsFunc(prof.Kinds, func(k *prof.Kind) bool { return k.Name == name })
}
