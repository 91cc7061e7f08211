package subject

import "errors"

var errNoIsolation = errors.New("this system has no network namespaces")
