// Package observe writes a directory with Prometheus, node_exporter and Grafana for one
// compose file: what a service that has outgrown hone's own recording is watched with.
//
// Everything that is written follows from a Stack: compose.yaml, Prometheus'
// configuration and rules, Grafana's provisioning, and four dashboards. The dashboards
// are files of JSON (stack/dashboards). The one of the service is a template
// (stack/service.json): it and the rules about the service are made of the metrics that the
// service shows (Scrape). Write puts the files into a directory and never over one that the
// user changed.
package observe
