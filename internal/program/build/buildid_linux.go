package build

import (
	"fmt"
	"os"
)

// executableOf returns a path that opens what process pid runs, also when the file was
// deleted or replaced since, and the name it was started from.
func executableOf(pid int) (path, name string, err error) {
	path = fmt.Sprintf("/proc/%d/exe", pid)
	name, err = os.Readlink(path)
	return path, name, err
}
