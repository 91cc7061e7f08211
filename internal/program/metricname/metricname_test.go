package metricname_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/metricname"
)

func TestScores(t *testing.T) {
	for _, c := range [][2]string{
		{"http_requests_total", "cache_hits_total"},
		{"hone_load_requests_answered_total", "hone_load_requests_sent_total"},
		{"hone_load_requests_sent_total", "hone_load_requests_failed_total"},
		{"grpc_server_handled_total", "grpc_client_handled_total"},
		{"jobs_processed_total", "job_errors_total"},
	} {
		if metricname.Score(c[0]) <= metricname.Score(c[1]) {
			t.Errorf("%s (%d) should come before %s (%d)", c[0], metricname.Score(c[0]), c[1], metricname.Score(c[1]))
		}
	}
}

// The matcher finds what Failure finds.
func TestFailureMatchers(t *testing.T) {
	for label, values := range map[string][]string{
		"code": {"200", "404", "500", "503", "5xx", "5", "5000", ""}, "http_status_code": {"200", "502"},
		"grpc_code": {"OK", "Internal", ""},
	} {
		name, pattern, _ := strings.Cut(strings.TrimSuffix(metricname.FailureMatcher(label), `"`), `~"`)
		match := regexp.MustCompile("^(?:" + pattern + ")$") // as Prometheus anchors it
		negated := strings.HasSuffix(name, "!")
		for _, v := range values {
			if got, want := match.MatchString(v) != negated, metricname.Failure(label, v); got != want {
				t.Errorf("%s=%q: matched %v, a failure %v", label, v, got, want)
			}
		}
	}
	if got := metricname.FailureMatcher("path"); got != "" {
		t.Errorf("path has the matcher %q", got)
	}
}
