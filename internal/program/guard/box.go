package guard

import (
	"encoding/json"
	"os"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// boxVariable tells the backup which group to remove.
const boxVariable = "HONE_BOX"

// boxEntry is the entry in the guards' environment; none without a box.
func boxEntry(g cgroup.Group) []string {
	if !g.Exists() {
		return nil
	}
	text, err := json.Marshal(g)
	if err != nil { // numbers and strings
		return nil
	}
	return []string{boxVariable + "=" + string(text)}
}

// boxOfGuards is the group that boxEntry named; none without it.
func boxOfGuards() (g cgroup.Group) {
	if json.Unmarshal([]byte(os.Getenv(boxVariable)), &g) != nil {
		return cgroup.Group{}
	}
	return g
}
