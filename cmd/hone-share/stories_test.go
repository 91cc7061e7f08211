package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore/storetest"
	"github.com/gohone/hone/internal/testkit/storytest"
)

// programs is where hone and hone-share are, built once: the stories run what users run.
var programs string

func TestMain(m *testing.M) { os.Exit(storytest.BuiltExtension(m, &programs)) }

// TestStories has a real S3 server: its address is $S3, its bucket runs, its user $KEY with the secret $SECRET, and
// $BUCKETS the directory of its buckets.
func TestStories(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	params := storytest.Params(t, programs, repo)
	server := storetest.Start(t, "runs")
	params.Dir = "testdata/script"
	setup := params.Setup
	params.Setup = func(e *testscript.Env) error {
		e.Setenv("S3", server.URL)
		e.Setenv("BUCKETS", server.Dir)
		e.Setenv("KEY", storetest.AccessKey)
		e.Setenv("SECRET", storetest.SecretKey)
		return setup(e)
	}
	testscript.Run(t, params)
}
