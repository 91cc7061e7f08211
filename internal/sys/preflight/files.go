package preflight

import "github.com/gohone/hone/internal/text/fail"

// checkFiles compares the files a test opens with what this process may open.
func checkFiles(n Need) *fail.Error {
	limit, ok := OpenFiles()
	need := uint64(max(n.Connections, 0)) + uint64(max(n.OtherFiles, 0))
	if !ok || need <= limit {
		return nil
	}
	return fail.New(fail.Environment, "%d connections need %d open files, and this process may open %d",
		n.Connections, need, limit).
		WithHint("ulimit -n %d (the programs need as many), or use fewer connections with -c", need)
}
