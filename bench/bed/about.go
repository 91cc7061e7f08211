package bed

// What figures rest on, for Case.About: verdicts on benchmarks, on services, and on both.
var (
	verdicts          = []string{"judge", "internal/judge", "stats", "internal/conduct/conclusion"}
	AboutBenchmarks   = append([]string{"internal/conduct/gobench"}, verdicts...)
	AboutServices     = append([]string{"internal/conduct/service", "load"}, verdicts...)
	AboutLoad         = []string{"load", "internal/wire"} // what the load generator costs
	AboutBothVerdicts = append([]string{"internal/conduct/gobench"}, AboutServices...)
)
