// Command sqlpool asks a database with at most two connections. Now and then a report uses both for
// 12 ms.
package main

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

const width = 2

type shop struct{ db *sql.DB }

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	s := &shop{sql.OpenDB(connector{b.Lines})}
	s.db.SetMaxOpenConns(width)
	s.db.SetMaxIdleConns(width)
	go serving.Every(ctx, 240*time.Millisecond, s.report)
	return s.article, nil
}

func (s *shop) article(_ context.Context, r *serving.Request) error {
	var text string
	began := time.Now()
	row := s.db.QueryRow("0s") // cause: channel
	r.Waited(1, began)
	return row.Scan(&text)
}

func (s *shop) report(context.Context) {
	var parts sync.WaitGroup
	for range width {
		parts.Go(func() {
			var text string
			_ = s.db.QueryRow("12ms").Scan(&text) // a report that fails comes again
		})
	}
	parts.Wait()
}
