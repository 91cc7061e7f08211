// Package promapi serves the series of runs by the HTTP API of Prometheus, so that Grafana,
// promtool and other clients of Prometheus can ask hone.
//
// It has the part of the API that reads (api.go lists it): queries, labels, series, metadata,
// build information, and empty lists of what hone does not have (rules, alerts, exemplars).
// The shape of the answers, their status codes and the texts of their errors are those of
// Prometheus 3; the tests compare them with a packaged Prometheus that reads the same files.
// Guards are added (guard.go, params.go): Prometheus is made for a network that it trusts, hone
// for a laptop whose browser shows pages of strangers.
//
// Answers are not compressed: clients are on this machine, where a measurement may run.
package promapi
