package bed

// What verdicts rest on, for Case.About: of benchmarks, of services, and of both.
var (
	verdicts          = []string{"judge", "internal/judge", "stats", "internal/conduct/conclusion"}
	AboutBenchmarks   = append([]string{"internal/conduct/gobench"}, verdicts...)
	AboutServices     = append([]string{"internal/conduct/service", "load"}, verdicts...)
	AboutBothVerdicts = append([]string{"internal/conduct/gobench"}, AboutServices...)
)
