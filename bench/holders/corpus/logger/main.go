// Command logger has a handler that keeps all records, behind the interface of log/slog.
package main

import (
	"context"
	"log/slog"

	"holding/heap"
)

type recorder struct {
	level   slog.Level
	records []slog.Record //holder: records
}

func (r *recorder) Enabled(_ context.Context, l slog.Level) bool { return l >= r.level }
func (r *recorder) WithAttrs([]slog.Attr) slog.Handler           { return r }
func (r *recorder) WithGroup(string) slog.Handler                { return r }
func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	r.records = append(r.records, record)
	return nil
}

var logger = slog.New(new(recorder)) //holder: records

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 2600 {
				logger.Info("request", "n", i, "body", make([]byte, 2000))
			}
		},
		Clear: func() { logger.Handler().(*recorder).records = nil },
	}.Main()
}
