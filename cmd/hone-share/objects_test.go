package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore/storetest"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/text/fail"
)

// inObjects is a store of a series on a real S3 server, behind the hone-share that users have.
func inObjects(t *testing.T) (open func() series.Store, server *storetest.Server) {
	server = storetest.Start(t, "runs")
	storetest.Credentials(t)
	t.Setenv("AWS_ENDPOINT_URL_S3", server.URL)
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() series.Store {
		s, err := series.Open(t.Context(), "s3://runs/perf", "")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}, server
}

func numbered(n int) series.Point {
	at := time.Date(2026, 11, 1, 3, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
	return series.Point{At: at, Branch: "main", Subject: "bench", Commit: series.Commit{Hash: fmt.Sprintf("%040x", n), Time: at}}
}

// checkOnce checks that the points from 0 to n-1 are there, each once.
func checkOnce(t *testing.T, s series.Store, n int) {
	t.Helper()
	content, err := s.Read(t.Context())
	if err != nil || len(content.Faults) > 0 {
		t.Fatalf("%v, faults %v", err, content.Faults)
	}
	seen := map[string]int{}
	for _, p := range content.Points {
		seen[p.Commit.Hash]++
	}
	for i := range n {
		if seen[numbered(i).Commit.Hash] != 1 {
			t.Errorf("point %d is there %d times", i, seen[numbered(i).Commit.Hash])
		}
	}
	if len(content.Points) != n {
		t.Errorf("%d points, want %d", len(content.Points), n)
	}
}

// Two writers at once, each of which reads before: each point is there once, and few objects are read.
func TestTwoWritersOfASeries(t *testing.T) {
	open, server := inObjects(t)
	const rounds = 40
	for n := range rounds {
		var both sync.WaitGroup
		for i := range 2 {
			both.Go(func() {
				s := open()
				_, err := s.Read(context.Background())
				if err == nil {
					report := []byte(fmt.Sprint("report ", n))
					err = s.Append(context.Background(), []series.Point{numbered(3*n + i)},
						map[string][]byte{series.ReportName("r", report, "txt"): report})
				}
				if err == nil { // a job that was started twice
					err = s.Append(context.Background(), []series.Point{numbered(3*n + 2)}, nil)
				}
				if err != nil {
					t.Errorf("round %d: %v", n, err)
				}
			})
		}
		both.Wait()
	}
	checkOnce(t, open(), 3*rounds)
	report := []byte("report 0")
	if text, err := open().Report(t.Context(), series.ReportName("r", report, "txt")); err != nil || string(text) != "report 0" {
		t.Errorf("report %q, %v", text, err)
	}
	copies, err := filepath.Glob(filepath.Join(server.Dir, "runs", "perf", "*-32.jsonl.gz"))
	if err != nil || len(copies) < 2 {
		t.Errorf("copies %v, %v", copies, err)
	}
}

// hone-share is killed while it writes, again and again: what was acknowledged is there, and nothing twice.
func TestAKilledWriterOfASeries(t *testing.T) {
	open, _ := inObjects(t)
	next := 0
	for range 12 {
		ctx, kill := context.WithCancel(t.Context())
		time.AfterFunc(rand.N(time.Second), kill)
		for s := open(); s.Append(ctx, []series.Point{numbered(next)}, nil) == nil; {
			next++
		}
		kill()
	}
	if err := open().Append(t.Context(), []series.Point{numbered(next)}, nil); err != nil { // may be there already
		t.Fatal(err)
	}
	t.Logf("%d points", next+1)
	checkOnce(t, open(), next+1)
}

// What is wrong with the store is said with its cause and the next step.
func TestFaultsOfTheStoreOfASeries(t *testing.T) {
	inObjects(t)
	for what, c := range map[string]struct {
		where, key, value, text, hint string
		kind                          fail.Kind
	}{
		"no bucket":      {"s3://missing/x", "X", "", "NoSuchBucket", "hone makes no bucket", fail.BadInput},
		"no credentials": {"s3://runs/x", "AWS_ACCESS_KEY_ID", "", "no credentials", "AWS_ACCESS_KEY_ID", fail.BadInput},
		"wrong ones": {"s3://runs/x", "AWS_SECRET_ACCESS_KEY", "other", "SignatureDoesNotMatch", "does not accept these credentials",
			fail.BadInput},
		"nobody there": {"s3://runs/x", "AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1", "connection refused", "AWS_ENDPOINT_URL_S3",
			fail.Environment},
		"no place": {"s3://UPPER", "X", "", "UPPER", "s3://BUCKET", fail.BadInput},
	} {
		t.Run(what, func(t *testing.T) {
			t.Setenv(c.key, c.value)
			s, err := series.Open(t.Context(), c.where, "")
			if err == nil {
				_, err = s.Read(t.Context())
			}
			again := s.Append(t.Context(), []series.Point{numbered(1)}, nil)
			for _, err := range []error{err, again} {
				if fail.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.text) || !strings.Contains(fail.HintOf(err), c.hint) {
					t.Errorf("%v (%d), hint %q", err, fail.KindOf(err), fail.HintOf(err))
				}
			}
		})
	}
}
