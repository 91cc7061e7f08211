// Package watch attaches to a running Go service and reads its vitals, at an interval and
// at little cost: from the pages of net/http/pprof, from /metrics, from /proc, from the
// lines of gctrace, or from the probe of a program that hone has started. Each of these
// sources is optional, and each fails by itself, with a reason that is shown.
package watch
