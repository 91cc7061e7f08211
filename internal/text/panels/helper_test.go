package panels

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// busy is a service under a swinging load, read n times.
func busy(n int) *vitals.History {
	h := vitals.NewHistory(1000)
	for i := range n {
		x := float64(i)
		swing := 1 + 0.6*math.Sin(x/9)
		saw := math.Mod(x, 7) / 7
		r := vitals.Reading{
			At: noon.Add(time.Duration(i) * time.Second),
			Traffic: vitals.Traffic{RatePerSec: vitals.Of(8000 * swing),
				RateName:          "http_requests_total",
				ErrorsPerSec:      vitals.Of(0),
				LatencyP50Seconds: vitals.Of(0.0004 * swing), LatencyP99Seconds: vitals.Of(0.0021 * swing * swing),
				LatencyP999Seconds: vitals.Of(0.009),
				LatencyName:        "http_request_duration_seconds"},
			Process: vitals.Process{CPUCores: vitals.Of(0.9 * swing), ResidentBytes: vitals.Of(91e6), Threads: vitals.Of(11),
				Connections: vitals.Of(53), OpenFiles: vitals.Of(61),
				ReadCallsPerSec: vitals.Of(8100 * swing), WriteCallsPerSec: vitals.Of(8000 * swing),
				VoluntaryPerSec: vitals.Of(2100), InvoluntaryPerSec: vitals.Of(35)},
			Runtime: vitals.Runtime{HeapBytes: vitals.Of(22e6 + 20e6*saw), HeapLiveBytes: vitals.Of(21e6),
				HeapGoalBytes: vitals.Of(43e6),
				GCShare:       vitals.Of(0.041 * swing), GCShareSinceStart: vitals.Of(0.02), GCCyclesPerSec: vitals.Of(3.2),
				GCPauseP99Seconds: vitals.Of(0.00012), AllocBytesPerSec: vitals.Of(64e6),
				Goroutines: vitals.Of(112 + math.Floor(4*swing))},
			Rates: []vitals.Rate{{Name: "http_requests_total", PerSec: 8000 * swing},
				{Name: "cache_hits_total", PerSec: 6011}, {Name: "cache_misses_total", PerSec: 12}},
			Latencies: []vitals.Latency{
				{Name: "http_request_duration_seconds", PerSec: 8000, P50Seconds: vitals.Of(0.0004),
					P99Seconds: vitals.Of(0.0021)},
				{Name: "db_query_duration_seconds", PerSec: 12, P50Seconds: vitals.Of(0.012),
					P99Seconds: vitals.Of(0.044)},
			},
		}
		h.Add(r)
	}
	return h
}

// frozen is a service that has said nothing for the last d seconds; the system still knows
// its process.
func frozen(n, d int) *vitals.History {
	h := busy(n)
	for i := range d {
		h.Add(vitals.Reading{
			At: noon.Add(time.Duration(n+i) * time.Second),
			Process: vitals.Process{CPUCores: vitals.Of(0), ResidentBytes: vitals.Of(91e6), Threads: vitals.Of(11),
				Connections:     vitals.Of(53),
				ReadCallsPerSec: vitals.Of(0), WriteCallsPerSec: vitals.Of(0), VoluntaryPerSec: vitals.Of(0),
				InvoluntaryPerSec: vitals.Of(0)},
		})
	}
	return h
}

var watchKeys = []Key{{"p", "profile", "take profiles now"}, {"m", "mark", ""}, {"s", "save", ""},
	{"space", "pause", ""}, {"q", "quit", ""}, {"?", "help", ""}}

// states are the pictures that goldens hold.
func states() map[string]State {
	watched := State{
		Title: "localhost:8080  PID 4242 (server)", Keys: watchKeys,
		Groups: []Group{{History: busy(90)}},
		Marks:  []vitals.Mark{{At: noon.Add(70 * time.Second), Number: 1}, {At: noon.Add(80 * time.Second), Number: 2}},
		Notes:  []string{"12:01:10 mark 1", "12:01:20 mark 2"},
	}
	stuck := watched
	stuck.Groups = []Group{{History: frozen(60, 12)}}
	stuck.Marks = nil
	stuck.Warnings = []string{
		"/metrics: no answer for 11 s", "pprof pages: no answer for 11 s",
		"connections: the files of process 4242 belong to another user",
	}
	measured := State{
		Title: "compare A B", Phase: "load", Done: 12 * time.Second, Total: 40 * time.Second,
		Groups: []Group{{"A ./cmd/old", loaded(40, 1)}, {"B ./cmd/new", loaded(40, 1.5)}},
	}
	helping := stuck
	helping.Help = true
	return map[string]State{"busy": watched, "frozen": stuck, "compare": measured, "help": helping,
		"empty": {Title: "localhost:1", Keys: watchKeys}}
}

// loaded is a variant under an open loop.
func loaded(n int, speed float64) *vitals.History {
	h := vitals.NewHistory(100)
	for i := range n {
		x := float64(i)
		h.Add(vitals.Reading{
			At: noon.Add(time.Duration(i) * 250 * time.Millisecond),
			Traffic: vitals.Traffic{RatePerSec: vitals.Of(10000 * speed * (1 + 0.1*math.Sin(x))),
				AskedPerSec:       vitals.Of(15000),
				ErrorsPerSec:      vitals.Of(2),
				LatencyP50Seconds: vitals.Of(0.0004 / speed), LatencyP99Seconds: vitals.Of(0.004 / speed),
				LatencyP999Seconds: vitals.Of(0.012 / speed)},
			Process: vitals.Process{CPUCores: vitals.Of(1.4 / speed)},
			Runtime: vitals.Runtime{HeapBytes: vitals.Of(9e6), HeapGoalBytes: vitals.Of(12e6),
				GCShare: vitals.Of(0.1 / speed)},
			GeneratorShare: vitals.Of(0.31),
			Causes:         []vitals.Cause{{Name: "timeout", Count: 12}, {Name: "connection refused", Count: 1}},
		})
	}
	return h
}
