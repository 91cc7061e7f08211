package main

import (
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/objectstore/storetest"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestSharedLedger runs the stories in testdata/s3, with a real S3 server: its address is $S3, its bucket runs, its user
// $KEY with the secret $SECRET, and $BUCKETS the directory of its buckets.
func TestSharedLedger(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	params := scriptParams(t, repo)
	server := storetest.Start(t, "runs")
	params.Dir = "testdata/s3"
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
