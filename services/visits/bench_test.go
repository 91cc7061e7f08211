package visits

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// BenchmarkVisits measures one visit of each stage, without a network. The log is formed
// and discarded.
func BenchmarkVisits(b *testing.B) {
	for _, s := range Stages {
		b.Run(s.Name, func(b *testing.B) { benchmark(b, s) })
	}
}

// BenchmarkStage measures the stage that the environment variable VISITS_STAGE names, the
// default one without it, so that two stages can be measured as two versions of one
// benchmark:
//
//	hone bench . --bench 'Stage$' --vs ./ --all --env A:VISITS_STAGE=start --env B:VISITS_STAGE=fprintf
func BenchmarkStage(b *testing.B) {
	name := os.Getenv("VISITS_STAGE")
	if name == "" {
		name = DefaultStage
	}
	s, err := LookupStage(name)
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, s)
}

func benchmark(b *testing.B, s Stage) {
	h := counter(b, s, Config{})
	v := newVisitor("/hello?name=gopher&color=blue")
	b.ReportAllocs()
	for b.Loop() {
		v.visit(h)
	}
}

// BenchmarkVisitsAtOnce measures visits by as many goroutines as there are CPUs.
func BenchmarkVisitsAtOnce(b *testing.B) {
	for _, s := range Stages {
		b.Run(s.Name, func(b *testing.B) {
			h := counter(b, s, Config{})
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				v := newVisitor("/hello?name=gopher&color=blue")
				for pb.Next() {
					v.visit(h)
				}
			})
		})
	}
}

// visitor sends the same request again and again, and drops the answers.
type visitor struct {
	request *http.Request
	header  http.Header
}

func newVisitor(target string) *visitor {
	return &visitor{httptest.NewRequest(http.MethodGet, target, nil), http.Header{}}
}

// visit makes the request a fresh one, as a server's are: a form that was parsed before
// would spare all stages but the last most of their work, and a header that is there already
// some. The published benchmark kept both.
func (v *visitor) visit(h http.Handler) {
	v.request.Form, v.request.PostForm, v.request.MultipartForm = nil, nil, nil
	clear(v.header)
	h.ServeHTTP(v, v.request)
}

func (v *visitor) Header() http.Header         { return v.header }
func (v *visitor) Write(p []byte) (int, error) { return len(p), nil }
func (v *visitor) WriteHeader(int)             {}

// counter is a new counter of a stage.
func counter(t testing.TB, s Stage, cfg Config) http.Handler {
	t.Helper()
	h, err := s.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
