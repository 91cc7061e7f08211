//go:build !linux

package process

import "errors"

// tellsAll says that usage.Reading has all its fields on this system.
const tellsAll = false

func readMain(int, *start) (mainProcess, error) {
	return mainProcess{}, errors.New("this system tells nothing of one process")
}
