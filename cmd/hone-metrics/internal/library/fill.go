package library

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/program/metrics"
)

// filler appends the scrapes of a run as Prometheus' own scraper would: with the labels of their target, the series
// about the scrape itself, and a marker where a series ends.
type filler struct {
	to      storage.Appendable
	run     labels.Labels // of all series: run, variant
	live    map[string]map[string]labels.Labels
	last    map[string]time.Time // by target
	known   map[string]Metadata
	symbols *labels.SymbolTable
	from    int64
	end     int64
}

// target names one.
func target(s metrics.Scrape) string { return s.Job + "\xff" + s.Instance }

// add appends one scrape. One that is not later than the one before of its target is left out, as Prometheus would.
func (f *filler) add(s metrics.Scrape) error {
	at := target(s)
	if last, known := f.last[at]; known && !s.At.After(last) {
		return nil
	}
	f.last[at] = s.At
	ms := s.At.UnixMilli()
	f.from, f.end = min(f.from, ms), max(f.end, ms)
	app := f.to.Appender(context.Background())
	err := f.append(app, s, at, ms)
	if err != nil {
		return errors.Join(err, app.Rollback())
	}
	return app.Commit()
}

func (f *filler) append(app storage.Appender, s metrics.Scrape, at string, ms int64) error {
	b := labels.NewBuilder(f.run)
	b.Set("job", s.Job)
	b.Set("instance", s.Instance)
	own := b.Labels()
	present, samples, err := f.families(app, s.Families, own, ms)
	if err != nil {
		return err
	}
	// What was there a scrape ago and is not there now has ended.
	for key, old := range f.live[at] {
		if _, stays := present[key]; stays {
			continue
		}
		if _, err := app.Append(0, old, ms, math.Float64frombits(value.StaleNaN)); err != nil {
			return err
		}
	}
	f.live[at] = present
	up := 0.0
	if s.Up {
		up = 1
	}
	for name, v := range map[string]float64{"up": up, "scrape_duration_seconds": s.Took.Seconds(),
		"scrape_samples_scraped": float64(samples)} {
		b.Reset(own)
		b.Set(model.MetricNameLabel, name)
		if _, err := app.Append(0, b.Labels(), ms, v); err != nil {
			return err
		}
	}
	return nil
}

// families appends what a target showed.
func (f *filler) families(app storage.Appender, raw []byte, own labels.Labels,
	ms int64) (present map[string]labels.Labels, samples int, err error) {
	present = map[string]labels.Labels{}
	p := textparse.NewProtobufParser(raw, false, false, false, false, f.symbols)
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			return present, samples, nil
		}
		if err != nil {
			return nil, 0, err
		}
		switch entry {
		case textparse.EntryType:
			name, kind := p.Type()
			f.note(string(name), func(m *Metadata) { m.Type = string(kind) })
			continue
		case textparse.EntryHelp:
			name, help := p.Help()
			f.note(string(name), func(m *Metadata) { m.Help = string(help) })
			continue
		case textparse.EntryUnit:
			name, unit := p.Unit()
			f.note(string(name), func(m *Metadata) { m.Unit = string(unit) })
			continue
		case textparse.EntrySeries, textparse.EntryHistogram:
		default:
			continue
		}
		var shown labels.Labels
		p.Labels(&shown)
		all := withTarget(shown, own)
		samples++
		if entry == textparse.EntryHistogram {
			_, _, h, fh := p.Histogram()
			_, err = app.AppendHistogram(0, all, ms, h, fh)
		} else {
			_, _, v := p.Series()
			_, err = app.Append(0, all, ms, v)
		}
		if errors.Is(err, storage.ErrDuplicateSampleForTimestamp) {
			continue // a page that shows a series twice
		}
		if err != nil {
			return nil, 0, err
		}
		present[all.String()] = all
	}
}

func (f *filler) note(name string, set func(*Metadata)) {
	name = strings.Clone(name)
	m := f.known[name]
	set(&m)
	f.known[name] = m
}

// withTarget are the labels of a series with those of its target. A label of the page that is called like one of the
// target gets the prefix exported_, as in Prometheus.
func withTarget(shown, own labels.Labels) labels.Labels {
	b := labels.NewBuilder(shown)
	own.Range(func(l labels.Label) {
		if old := shown.Get(l.Name); old != "" {
			name := "exported_" + l.Name
			for shown.Has(name) {
				name = "exported_" + name
			}
			b.Set(name, old)
		}
		b.Set(l.Name, l.Value)
	})
	return b.Labels()
}
