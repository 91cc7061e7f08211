package promapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
)

// maxBody bounds what a request may post. A single expression is far shorter (params.go);
// the rest is for lists of selectors.
const maxBody = 1 << 20

// endpoint is one path of the API.
type endpoint struct {
	path    string
	methods []string
	answer  func(*api, *http.Request) (answer, error)
}

var (
	read       = []string{http.MethodGet}
	readOrPost = []string{http.MethodGet, http.MethodPost}
)

var endpoints = []endpoint{
	{"/api/v1/query", readOrPost, (*api).query},
	{"/api/v1/query_range", readOrPost, (*api).queryRange},
	{"/api/v1/query_exemplars", readOrPost, (*api).queryExemplars},
	{"/api/v1/format_query", readOrPost, (*api).formatQuery},
	{"/api/v1/labels", readOrPost, (*api).labelNames},
	{"/api/v1/label/{name}/values", read, (*api).labelValues},
	{"/api/v1/series", readOrPost, (*api).series},
	{"/api/v1/metadata", read, (*api).metadata},
	{"/api/v1/rules", read, (*api).rules},
	{"/api/v1/alerts", read, (*api).alerts},
	{"/api/v1/status/buildinfo", read, (*api).buildInfo},
}

// api answers requests. It is safe for concurrent use.
type api struct {
	Config
	turns chan struct{} // one element per request that reads the store
}

// New returns the API over what the configuration opens. It holds no goroutines and nothing
// to be closed; a request reads the store until it is answered.
func New(c Config) http.Handler {
	c = c.filled()
	a := &api{Config: c, turns: make(chan struct{}, c.Concurrency)}
	mux := http.NewServeMux()
	for _, e := range endpoints {
		mux.Handle(e.path, a.serve(e))
	}
	mux.Handle("/-/healthy", probed("hone is healthy.\n"))
	mux.Handle("/-/ready", probed("hone is ready.\n"))
	mux.Handle("/metrics", c.Metrics)
	mux.HandleFunc("/", unknown)
	return guarded(mux, c.Hosts)
}

// serve reads the form of a request, bounds its time, and writes the answer.
func (a *api) serve(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodOptions:
			w.Header().Set("Allow", allowed(e.methods))
			w.WriteHeader(http.StatusNoContent)
			return
		case !slices.Contains(e.methods, r.Method):
			w.Header().Set("Allow", allowed(e.methods))
			refuse(w, http.StatusMethodNotAllowed, badData, fmt.Errorf("%s takes no %s", r.URL.Path, r.Method))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := parseForm(r); err != nil {
			status := badData.status
			if _, big := errors.AsType[*http.MaxBytesError](err); big {
				status = http.StatusRequestEntityTooLarge
			}
			refuse(w, status, badData, fmt.Errorf("error parsing form values: %w", err))
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), a.Timeout)
		defer cancel()
		found, err := e.answer(a, r.WithContext(ctx))
		if err != nil {
			k := kindOf(err)
			refuse(w, k.status, k, err)
			return
		}
		found.write(w)
	})
}

// parseForm reads a form from the address and the body, which may come in parts.
func parseForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil { // ParseMultipartForm would keep this fault to itself
		return err
	}
	if err := r.ParseMultipartForm(maxBody); !errors.Is(err, http.ErrNotMultipart) {
		return err
	}
	return nil
}

func allowed(methods []string) string { return strings.Join(methods, ", ") + ", OPTIONS" }

// reading waits for a turn, opens the store, and has it asked. What ask returns must not
// refer to memory of the store, which is closed when reading returns.
func (a *api) reading(ctx context.Context, ask func(storage.Queryable) (answer, error)) (found answer, err error) {
	select {
	case a.turns <- struct{}{}:
		defer func() { <-a.turns }()
	case <-ctx.Done():
	}
	if err := waited(ctx); err != nil {
		return answer{}, err
	}
	q, done, err := a.Open(ctx)
	if err != nil {
		return answer{}, as(internal, fmt.Errorf("open metrics: %w", err))
	}
	if done != nil {
		defer func() {
			if closing := done(); closing != nil && err == nil {
				found, err = answer{}, as(internal, fmt.Errorf("close metrics: %w", closing))
			}
		}()
	}
	return ask(q)
}

// waited says whether the time was over before it was the request's turn.
func waited(ctx context.Context) error {
	const where = "query queue" // Prometheus' word for it
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return promql.ErrQueryTimeout(where)
	case ctx.Err() != nil:
		return promql.ErrQueryCanceled(where)
	}
	return nil
}

// probed answers who asks whether the server lives, as load balancers do.
func probed(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(text)) // who went away needs no answer
	})
}

func unknown(w http.ResponseWriter, r *http.Request) {
	refuse(w, notFound.status, notFound,
		fmt.Errorf("hone has no %q: it answers the part of Prometheus' API that reads series", r.URL.Path))
}
