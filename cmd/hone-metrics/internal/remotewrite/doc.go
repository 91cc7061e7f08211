// Package remotewrite sends stored series to a store that takes Prometheus' remote write:
// Prometheus itself (--web.enable-remote-write-receiver), Mimir, Thanos, VictoriaMetrics and
// others.
//
// The protocol's client is that of client_golang; what is added here is the order in which
// samples go (push.go), so that a store that takes no old samples takes those of a long run,
// and errors that say which samples they are about and what to do (explain.go).
//
// Protocols: https://prometheus.io/docs/specs/prw/remote_write_spec/ (1.0, which every
// receiver knows) and https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/.
package remotewrite
