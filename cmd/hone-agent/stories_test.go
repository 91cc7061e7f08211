package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// programs is where hone, hone-agent and a service to load are, built once: the stories run what users run.
var programs string

func TestMain(m *testing.M) {
	os.Exit(func() (code int) {
		dir, err := os.MkdirTemp("", "hone-agent-")
		if err == nil {
			programs = dir
			defer os.RemoveAll(dir)
			err = errors.Join(storytest.Build(dir, ".", "."),
				storytest.Build(dir, "../..", "./cmd/hone", "./cmd/hone/testdata/loadsvc"))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func TestStories(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	params := storytest.Params(t, programs, repo)
	params.Dir = "testdata/script"
	testscript.Run(t, params)
}
