// Command hone-metrics queries, serves and sends the time series that hone records of runs: hone metrics runs it. It
// holds the parts of Prometheus for that: PromQL, its HTTP API, remote write.
package main

import (
	"os"

	"github.com/gohone/hone/internal/spec/extension"
)

func main() { os.Exit(extension.Main(commands, os.Args[1:], os.Stdout, os.Stderr)) }
