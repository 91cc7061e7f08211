package side

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// HoneJSON runs hone's binary and reads the JSON that it prints into into.
func HoneJSON(ctx context.Context, binary string, into any, args ...string) error {
	cmd := exec.CommandContext(ctx, binary, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("hone %s: %w: %s", strings.Join(args[:2], " "), err, strings.TrimSpace(stderr.String()))
	}
	if err := json.Unmarshal(out, into); err != nil {
		return fmt.Errorf("read what hone %s prints: %w in %.200s", strings.Join(args[:2], " "), err, out)
	}
	return nil
}
