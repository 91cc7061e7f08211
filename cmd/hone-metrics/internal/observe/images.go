package observe

// images are the pinned images, by name and tag.
type images struct{ Prometheus, Node, Grafana string }

// pinned are releases, each a tag of its project of the same number. Digests would pin
// harder, but a digest that was never pulled here pins nothing that was looked at.
var pinned = images{
	// The release whose query engine hone itself uses (module v0.315.0), so that
	// expressions mean the same in both; a test holds the two together.
	Prometheus: "prom/prometheus:v3.15.0",
	Node:       "prom/node-exporter:v1.12.1",
	// The release of August 2026. The dashboards' schema is 42.
	Grafana: "grafana/grafana:13.2.0",
}
