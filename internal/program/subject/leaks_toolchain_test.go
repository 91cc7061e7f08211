package subject

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/gocommand/toolchaintest"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// A toolchain that has the profile of leaked goroutines by itself: a program needs no
// experiment for it, and the probe finds the goroutine that nothing can wake.
func TestLeaksOfANewerToolchain(t *testing.T) {
	const newer = "go1.27.1"
	toolchaintest.Need(t, newer)
	dir := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/leaks\n\ngo 1.22\n", "main.go": `package main

import (
	"log"
	"net/http"
	"os"
)

func forgotten(c chan int) { <-c }

func main() {
	go forgotten(make(chan int))
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
`})
	b := built(t, build.Variant{Name: "A", Source: ".", Toolchain: newer}, dir, t.TempDir())
	p := start(t, b, StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"}, Args: []string{"127.0.0.1:{port}"},
		ProbeDir: t.TempDir()})
	probe := probeclient.At(p.ProbeSocket())
	if has, err := probe.HasProfile(t.Context(), probeclient.ProfileGoroutineLeak); !has || err != nil {
		t.Fatalf("there is a profile of leaks: %v, %v; want one", has, err)
	}
	text, err := probe.Profile(t.Context(), probeclient.ProfileGoroutineLeak, 0)
	if err != nil {
		t.Fatal(err)
	}
	leaks, err := profile.ParseData(text)
	if err != nil || !strings.Contains(leaks.String(), "main.forgotten") {
		t.Errorf("the leak is not in the profile: %v, %v", leaks, err)
	}
}
