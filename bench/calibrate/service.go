package calibrate

import "strconv"

// service is a subject of the calibration and its load.
type service struct {
	// Name is what -service takes.
	Name string
	// Package is the directory of its program, which takes -addr and -spin.
	Package string
	// Target is what hone loads; {port} stands for its port.
	Target             string
	Connections, Depth int
	// Insecure says that its certificate is its own.
	Insecure bool
}

// services are all of them: two that are bound by CPU, one by its allocations and the collector,
// one that waits for a lock and a backend, and one that encrypts. The loads are that of the framed server's ladder,
// and of web services that are kept busy.
var services = []service{
	{Name: "framed", Package: "./calibrate/subject/framed", Target: "framed://127.0.0.1:{port}", Connections: 100,
		Depth: 16},
	{Name: "http", Package: "./calibrate/subject/visits",
		Target: "http://127.0.0.1:{port}/hello?name=gopher&color=blue", Connections: 50, Depth: 1},
	{Name: "collected", Package: "./calibrate/subject/collected", Target: "http://127.0.0.1:{port}/hello",
		Connections: 50, Depth: 1},
	{Name: "waiting", Package: "./calibrate/subject/waiting", Target: "http://127.0.0.1:{port}/hello", Connections: 100,
		Depth: 1},
	{Name: "encrypted", Package: "./calibrate/subject/encrypted",
		Target: "https://127.0.0.1:{port}/hello?name=gopher&color=blue", Connections: 50, Depth: 1, Insecure: true},
}

// variant is the service with a spin, as hone's command line takes it.
func (s service) variant(spin int) string { return s.Package + " -spin " + strconv.Itoa(spin) }

// load are the flags of hone that describe the load.
func (s service) load(target string) []string {
	args := []string{target, "-c", strconv.Itoa(s.Connections)}
	if s.Depth > 1 {
		args = append(args, "--depth", strconv.Itoa(s.Depth))
	}
	if s.Insecure {
		args = append(args, "--set", "insecure=true")
	}
	return args
}
