package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// programs is where hone and hone-metrics are, built once: the stories run what users run.
var programs string

func TestMain(m *testing.M) { os.Exit(storytest.BuiltExtension(m, &programs)) }

func TestStories(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	params := storytest.Params(t, programs, repo)
	params.Cmds["shows"] = shows
	params.Dir = "testdata/script"
	testscript.Run(t, params)
}
