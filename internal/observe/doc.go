// Package observe writes a directory with Prometheus, node_exporter and Grafana for one
// compose file: what a service that has outgrown hone's own recording is watched with.
//
// Everything that is written follows from a Stack: compose.yaml, Prometheus'
// configuration and rules, Grafana's provisioning, and four dashboards. The dashboards
// are data (board_*.go), rendered with Grafana's own SDK (render.go). The one of the service,
// and the rules about it, are made of the metrics that it shows (Scrape). Write puts the
// files into a directory and never over one that the user changed.
package observe
