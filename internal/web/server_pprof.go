package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/page"
	"github.com/gohone/hone/internal/pprofweb"
)

// pprofPath is what the addresses of pprof's own pages begin with; the run's id follows.
const pprofPath = "/pprof/"

// mostSites is how many runs' pages are kept: each keeps its profiles in memory.
const mostSites = 4

// sites are pprof's pages of the runs that were looked at last, the latest first.
type sites struct {
	mu  sync.Mutex
	all []namedSite
}

type namedSite struct {
	run  string
	site *pprofweb.Site
}

// get returns the pages of a run; nil if they are not there.
func (s *sites) get(run string) *pprofweb.Site {
	i := slices.IndexFunc(s.all, func(n namedSite) bool { return n.run == run })
	if i < 0 {
		return nil
	}
	one := s.all[i]
	s.all = slices.Insert(slices.Delete(s.all, i, i+1), 0, one)
	return one.site
}

// put keeps the pages of a run.
func (s *sites) put(run string, site *pprofweb.Site) {
	s.all = slices.Insert(s.all, 0, namedSite{run, site})
	s.all = slices.Delete(s.all, min(len(s.all), mostSites), len(s.all))
}

// pprofPages answers below /pprof/RUN/ with pprof's own pages.
func (s *Server) pprofPages(w http.ResponseWriter, r *http.Request, ours func(host string) bool) {
	if s.PProf == nil {
		refuse(w, r, http.StatusNotFound, "There is no such page.", "")
		return
	}
	var site *pprofweb.Site
	var run ledger.Run
	err := s.reading(r, func(l *page.Library) (err error) {
		if run, err = l.Stored.Ledger.Run(r.PathValue("run")); err == nil && run.ID == r.PathValue("run") {
			site, err = s.site(l.Stored.Ledger, run)
		}
		return err
	})
	switch {
	case err != nil:
		refuseError(w, r, err, http.StatusNotFound)
	case site == nil: // a prefix of the id
		to := url.URL{Path: pprofPath + run.ID + strings.TrimPrefix(r.URL.Path, pprofPath+r.PathValue("run")), RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
	default:
		site.Guarded(ours).ServeHTTP(w, r) // with the policy that pprof's pages need
	}
}

// site makes the pages of a run, or finds them. One run's are made at a time.
func (s *Server) site(l *ledger.Ledger, run ledger.Run) (*pprofweb.Site, error) {
	s.pprof.mu.Lock()
	defer s.pprof.mu.Unlock()
	if site := s.pprof.get(run.ID); site != nil {
		return site, nil
	}
	site, err := s.PProf(l, run.ID, pprofPath+run.ID)
	if err == nil && run.Status != ledger.Running { // a run that goes on gets more profiles
		s.pprof.put(run.ID, site)
	}
	return site, err
}
