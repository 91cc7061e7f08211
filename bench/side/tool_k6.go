package side

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/proc"
)

var k6 = &Tool{
	Name: "k6", Open: true,
	Args: func(j Job) proc.Command {
		scenario := fmt.Sprintf(`executor: "constant-vus", vus: %d, duration: "%v"`, j.Connections, j.Duration)
		if j.RateHz > 0 {
			scenario = fmt.Sprintf(`executor: "constant-arrival-rate", rate: %d, timeUnit: "1s", duration: "%v", preAllocatedVUs: %d`,
				j.RateHz, j.Duration, j.Connections)
		}
		return proc.Command{
			Args:  []string{"run", "--quiet", "--no-usage-report", "-"},
			Stdin: fmt.Sprintf(k6Script, scenario, j.URL),
		}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		var v struct {
			Requests struct {
				Values struct{ Count uint64 }
			} `json:"http_reqs"`
			Failed struct {
				Values struct{ Passes uint64 }
			} `json:"http_req_failed"`
			Dropped struct {
				Values struct{ Count uint64 }
			} `json:"dropped_iterations"`
			Duration struct {
				Values map[string]float64 // milliseconds
			} `json:"http_req_duration"`
		}
		if err := json.Unmarshal(out, &v); err != nil {
			return Report{}, fmt.Errorf("read k6's report: %w", err)
		}
		millis := func(name string) time.Duration {
			return time.Duration(v.Duration.Values[name] * float64(time.Millisecond))
		}
		wrong := v.Failed.Values.Passes
		return Report{v.Requests.Values.Count - wrong, wrong, v.Dropped.Values.Count, millis("p(50)"), millis("p(99)"),
			millis("max")}, nil
	},
}

const k6Script = `import http from "k6/http";
export const options = {
  scenarios: { only: { %s, gracefulStop: "10s" } },
  summaryTrendStats: ["p(50)", "p(99)", "max"],
};
export default function () { http.get(%q); }
export function handleSummary(data) { return { stdout: JSON.stringify(data.metrics) }; }
`
