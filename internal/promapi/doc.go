// Package promapi answers for the series of a run in the HTTP API of Prometheus, so that a
// Grafana, a promtool or any other client of Prometheus can ask hone as if it were one.
//
// What is answered is the part of the API that reads (api.go lists it): queries, labels,
// series, metadata, build information, and empty lists where hone has no such thing (rules,
// alerts, exemplars). The shape of the answers, their status codes and the words of their errors are
// those of Prometheus 3; the tests hold them against a packaged Prometheus that reads the
// same files. Beyond it there are guards (guard.go, params.go): Prometheus is made for a network
// that it trusts, hone for a laptop whose browser shows pages of strangers.
//
// Answers are not compressed: who asks is on this machine, where a measurement may run.
package promapi
