package web

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path"

	"github.com/gohone/hone/internal/sys/pageserver"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
)

// Series reads the series of a repository from their store.
type Series struct {
	Page func(ctx context.Context) (*page.Series, error)
	// Report is the page of a comparison that is beside the points.
	Report func(ctx context.Context, name string) ([]byte, error)
}

// reportPolicy keeps a page from a store, which anybody may have written who may push to its branch, apart from the
// others: it has an origin of its own, so that its script reads no answer of this server.
const reportPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
	"img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// addSeries adds the addresses of series.
func (s *Server) addSeries(mux *http.ServeMux) {
	mux.Handle(apiPath+"series", s.reply(http.StatusBadRequest, func(r *http.Request) (any, error) {
		return s.Series.Page(r.Context())
	}))
	mux.HandleFunc("/"+page.SeriesReports+"/{name}", func(w http.ResponseWriter, r *http.Request) {
		var text []byte
		err := s.inTurn(r, func() (err error) {
			text, err = s.Series.Report(r.Context(), r.PathValue("name"))
			return err
		})
		if errors.Is(err, fs.ErrNotExist) {
			err = fail.New(fail.BadInput, "The store has no page %s.", path.Base(r.URL.Path))
		}
		if err != nil {
			refuseError(w, r, err, http.StatusNotFound)
			return
		}
		pageserver.Protect(w.Header(), reportPolicy)
		send(w, r, http.StatusOK, "text/html; charset=utf-8", text)
	})
}
