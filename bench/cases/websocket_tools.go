package cases

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

const nameK6 = "k6"

// echoed is the message, as package echo of the peers has it.
const echoed = "hello"

// fromPath are the tools that are not built here.
var fromPath = []*side.Tool{
	side.HoneLoad(side.Hone, func(j side.Job) []string {
		return []string{"ws://" + j.URL + "/", "-c", strconv.Itoa(j.Connections), "--body", echoed, "--expect-body",
			echoed}
	}),
	{
		Name: nameK6,
		Args: func(j side.Job) proc.Command {
			return proc.Command{
				Args: []string{"run", "--quiet", "--no-usage-report", "-"},
				Stdin: fmt.Sprintf(k6Script, j.Connections, "ws://"+j.URL+"/", j.Duration.Milliseconds(), echoed,
					echoed),
			}
		},
		Read: readK6,
	},
}

// k6Script has each user send a message, and the next one when its echo has come, until the time is up.
const k6Script = `import { WebSocket } from "k6/experimental/websockets";
import { Counter } from "k6/metrics";
const right = new Counter("right"), wrong = new Counter("wrong");
export const options = { vus: %d, iterations: %[1]d };
export default function () {
  const ws = new WebSocket(%q);
  const end = Date.now() + %d;
  ws.onopen = () => ws.send(%q);
  ws.onmessage = (m) => {
    (m.data === %q ? right : wrong).add(1);
    if (Date.now() < end) ws.send(m.data); else ws.close();
  };
  ws.onerror = () => wrong.add(1);
}
export function handleSummary(data) { return { stdout: JSON.stringify(data.metrics) }; }
`

// readK6 reads the counters of the script.
func readK6(_ string, _ side.Job, out []byte) (side.Report, error) {
	type counter struct {
		Values struct{ Count uint64 }
	}
	var v struct{ Right, Wrong counter }
	if err := json.Unmarshal(out, &v); err != nil {
		return side.Report{}, fmt.Errorf("read k6's report: %w", err)
	}
	return side.Report{Answered: v.Right.Values.Count, Failed: v.Wrong.Values.Count}, nil
}

// libraries are the clients of peers/websocket.
var libraries = []string{"gorilla", "coder", "gobwas", "nbio"}

// builtIn are the clients in dir.
func builtIn(dir string) (all []side.Found) {
	for _, name := range libraries {
		all = append(all, side.Found{Program: filepath.Join(dir, name), Tool: &side.Tool{
			Name: name,
			Args: func(j side.Job) proc.Command {
				return proc.Command{Args: []string{"-mode", "client", "-addr", j.URL, "-conns",
					strconv.Itoa(j.Connections), "-d", j.Duration.String()}}
			},
			Read: readClient,
		}})
	}
	return all
}

// readClient reads the report of package echo.
func readClient(_ string, _ side.Job, out []byte) (side.Report, error) {
	var v struct{ Answered, Failed uint64 }
	if err := json.Unmarshal(out, &v); err != nil {
		return side.Report{}, fmt.Errorf("read the client's report: %w", err)
	}
	return side.Report{Answered: v.Answered, Failed: v.Failed}, nil
}
