package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/config"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/discovery/targetgroup"
	"github.com/prometheus/prometheus/scrape"
)

// scraper is Prometheus' scraper of some jobs, from its start to stop.
type scraper struct {
	manager *scrape.Manager
	running sync.WaitGroup
}

// timing says when a scraper asks its targets.
type timing struct {
	interval, timeout time.Duration
	// atOnce scrapes at the start, not at a moment of its own in the interval.
	atOnce bool
}

// never is an interval that no measurement reaches.
const never = 24 * time.Hour

// retarget is how soon a scraper looks whether its targets have changed, which they do not.
const retarget = 100 * time.Millisecond

// scrape begins to scrape jobs into the recorder's database.
func (r *Recorder) scrape(jobs []job, at timing) (*scraper, error) {
	configured, err := scrapeConfig(at, jobs)
	if err != nil {
		return nil, err
	}
	options := &scrape.Options{
		DiscoveryReloadInterval:  model.Duration(retarget),
		DiscoveryReloadOnStartup: true,
		ScrapeOnShutdown:         true, // so that the record reaches to the end
		HTTPClientOptions:        []config.HTTPClientOption{config.WithDialContextFunc(r.dial), config.WithUserAgent("hone")},
	}
	if at.atOnce {
		options.InitialScrapeOffset = -at.interval // Prometheus adds a target's own moment, which is less
	}
	s := &scraper{}
	if s.manager, err = scrape.NewManager(options, quiet(), nil, nil, r.db, prometheus.NewRegistry()); err != nil {
		return nil, err
	}
	if err := s.manager.ApplyConfig(configured); err != nil {
		return nil, err
	}
	targets := make(chan map[string][]*targetgroup.Group)
	s.running.Go(func() { s.manager.Run(targets) }) // ends with stop
	targets <- targetSets(r.run, r.variant, jobs)
	return s, nil
}

// awaitFirst returns when every target was scraped once, or after the patience.
func (s *scraper) awaitFirst(patience time.Duration) {
	for end := time.Now().Add(patience); !s.scrapedOnce() && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // the scraper says nothing
	}
}

func (s *scraper) scrapedOnce() bool {
	n := 0
	for _, targets := range s.manager.TargetsActive() {
		for _, t := range targets {
			if t.LastScrape().IsZero() {
				return false
			}
			n++
		}
	}
	return n > 0
}

// metadata is what the targets say of their metrics, by name.
func (s *scraper) metadata() map[string]Metadata {
	all := map[string]Metadata{}
	for _, targets := range s.manager.TargetsAll() {
		for _, t := range targets {
			for _, m := range t.ListMetadata() {
				all[m.MetricFamily] = Metadata{Type: string(m.Type), Unit: m.Unit, Help: m.Help}
			}
		}
	}
	return all
}

// stop asks every target a last time and ends.
func (s *scraper) stop() {
	s.manager.Stop()
	s.running.Wait()
}
