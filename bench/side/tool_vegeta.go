package side

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// vegeta writes raw results while it attacks and computes its report later: the report
// is not part of its CPU time here.
var vegeta = &Tool{
	Name: "vegeta", Open: true,
	Args: func(j Job) proc.Command {
		c := strconv.Itoa(j.Connections)
		args := []string{"attack", "-duration", j.Duration.String(), "-connections", c, "-timeout", "30s", "-output",
			vegetaFile(j)}
		if j.RateHz > 0 {
			args = append(args, "-rate", strconv.Itoa(j.RateHz)) // workers as it likes: its default
		} else {
			args = append(args, "-rate", "0", "-workers", c, "-max-workers", c)
		}
		return proc.Command{Args: args, Stdin: "GET " + j.URL + "\n"}
	},
	Read: func(program string, j Job, _ []byte) (Report, error) {
		out, err := exec.Command(program, "report", "-type", "json", vegetaFile(j)).Output()
		if err != nil {
			return Report{}, fmt.Errorf("run vegeta report: %w", err)
		}
		var v struct {
			Requests  uint64
			Success   float64
			Latencies struct {
				P50 time.Duration `json:"50th"`
				P99 time.Duration `json:"99th"`
				Max time.Duration `json:"max"`
			}
		}
		if err := json.Unmarshal(out, &v); err != nil {
			return Report{}, fmt.Errorf("read vegeta's report: %w", err)
		}
		right := uint64(v.Success*float64(v.Requests) + 0.5)
		return Report{right, v.Requests - right, 0, v.Latencies.P50, v.Latencies.P99, v.Latencies.Max}, nil
	},
}

func vegetaFile(j Job) string { return filepath.Join(j.dir, "vegeta.bin") }
