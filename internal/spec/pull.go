package spec

import "strings"

// Pull is which profiles are taken from elsewhere.
type Pull struct {
	// Seconds is the time of the CPU profiles of an address.
	Seconds float64
	// Query chooses series of a store, in the time From ... To; Kind is one of profiles, "" all.
	Query, From, To, Kind string
	// Labels are those that samples keep; nil: all.
	Labels  []string
	User    string
	Headers []string
	// TokenFile has a bearer token.
	TokenFile string
}

// PulledKinds are the kinds of profiles that stores keep of Go programs.
var PulledKinds = []string{"cpu", "allocs", "heap", "mutex", "block", "goroutine"}

var pullRows = []Row{
	{Name: "seconds", Group: OfPull, For: ForPull, Flag: always, Is: First, Default: "5",
		Help: "total time of the CPU profiles of an address",
		To:   func(s *Spec) any { return &s.Pull.Seconds }},
	{Name: "query", Group: OfPull, For: ForPullStore, Flag: always, Is: First,
		Help: "which series: their `LABELS`, as {service_name=\"shop\"}\nA profile type before the brace pulls that type alone: process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name=\"shop\"}.",
		To:   func(s *Spec) any { return &s.Pull.Query }},
	{Name: "from", Group: OfPull, For: ForPullStore, Flag: always, Is: First, Default: "now-1h",
		Help: "begin of the time: now-1h, 2026-11-28T17:00:00Z, or seconds since 1970",
		To:   func(s *Spec) any { return &s.Pull.From }},
	{Name: "to", Group: OfPull, For: ForPullStore, Flag: always, Is: First, Default: "now", Help: "end of the time",
		To: func(s *Spec) any { return &s.Pull.To }},
	{Name: "kind", Group: OfPull, For: ForPullStore, Flag: always, Is: First,
		Help: "one `KIND` of profiles: " + strings.Join(PulledKinds, ", ") + " (default: all)",
		To:   func(s *Spec) any { return &s.Pull.Kind }},
	{Name: "labels", Group: OfPull, For: ForPullStore, Flag: always, Is: First | Commas,
		Help: "`NAMES` of the labels that samples keep (default: all; of Pyroscope those that differ in 20 ways at most)",
		To:   func(s *Spec) any { return &s.Pull.Labels }},
	{Name: "user", Group: OfPull, For: ForPullStore, Flag: always, Is: First,
		Help: "user `NAME`; the password is in HONE_PULL_PASSWORD",
		To:   func(s *Spec) any { return &s.Pull.User }},
	{Name: "token-file", Group: OfPull, For: ForPullStore, Flag: always, Is: First,
		Help: "`FILE` with a bearer token (default: HONE_PULL_TOKEN)",
		To:   func(s *Spec) any { return &s.Pull.TokenFile }},
	{Name: "header", Short: "H", Group: OfPull, For: ForPullStore, Flag: always, Is: First,
		Help: "`HEADER` of the requests, 'X-Scope-OrgID: TENANT' (repeatable)",
		To:   func(s *Spec) any { return &s.Pull.Headers }},
}
