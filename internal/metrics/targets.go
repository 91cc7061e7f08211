package metrics

import (
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/discovery/targetgroup"
)

// What a scrape may bring at most. A target that exceeds one is left out of the record
// for that moment: Prometheus stores nothing of such a scrape but that it failed.
const (
	maxBody    = "10MB"
	maxSeries  = 50_000
	maxLabels  = 64
	maxName    = 512
	maxValue   = 4096
	maxBuckets = 500
)

// Jobs, as the label job says them.
const (
	JobSubject = "subject"
	JobGo      = "go"
	JobNode    = "node"
	JobLoad    = "hone"
)

// jobConfig is a job of Prometheus: its name, the path of its page, and the bounds. The
// names of protocols are in the order of preference; the first can carry native histograms.
const jobConfig = `
- job_name: %q
  metrics_path: %q
  scheme: %q
  scrape_protocols: [PrometheusProto, OpenMetricsText1.0.0, OpenMetricsText0.0.1, PrometheusText1.0.0, PrometheusText0.0.4]
  scrape_native_histograms: true
  body_size_limit: ` + maxBody + `
  sample_limit: %d
  label_limit: %d
  label_name_length_limit: %d
  label_value_length_limit: %d
  native_histogram_bucket_limit: %d
`

// job is one job: where its page is, and what its series are labelled with.
type job struct {
	name     string
	page     url.URL
	instance string
}

// scrapeConfig is the configuration of Prometheus for jobs that are asked at such times.
func scrapeConfig(at timing, jobs []job) (*config.Config, error) {
	timeout := min(at.timeout, 10*time.Second)
	text := fmt.Sprintf("global:\n  scrape_interval: %s\n  scrape_timeout: %s\nscrape_configs:\n",
		model.Duration(at.interval), model.Duration(timeout))
	for _, j := range jobs {
		path := j.page.Path
		if path == "" {
			path = "/metrics"
		}
		text += fmt.Sprintf(jobConfig, j.name, path, j.page.Scheme, maxSeries, maxLabels, maxName, maxValue, maxBuckets)
		if len(j.page.Query()) > 0 {
			text += "  params:\n"
			for key, values := range j.page.Query() {
				text += fmt.Sprintf("    %q: [", key)
				for _, v := range values {
					text += fmt.Sprintf("%q, ", v)
				}
				text += "]\n"
			}
		}
	}
	return config.Load(text, slog.New(slog.DiscardHandler))
}

// targetSets hands the jobs' addresses to the scraper.
func targetSets(run, variant string, jobs []job) map[string][]*targetgroup.Group {
	sets := map[string][]*targetgroup.Group{}
	for _, j := range jobs {
		labels := model.LabelSet{
			model.AddressLabel: model.LabelValue(j.page.Host),
			"run":              model.LabelValue(run),
			"instance":         model.LabelValue(j.instance),
		}
		if variant != "" {
			labels["variant"] = model.LabelValue(variant)
		}
		sets[j.name] = []*targetgroup.Group{{Source: j.name, Targets: []model.LabelSet{labels}}}
	}
	return sets
}
