// Package hone holds the source of the reference services, so that hone demo works with an
// installed hone, where there is no checkout. It stands in the root of the module, since a package
// embeds files below its own directory only: the services need go.mod, go.sum and internal/sys/epoll.
package hone

import "embed"

// Services are the module files, and all Go files of the reference services, as they lie in
// the module; tests among them, since patterns cannot leave files out.
//
//go:embed go.mod go.sum internal/sys/epoll/*.go services/*/*.go services/*/*/*.go services/*/cmd/*/*.go services/havlak/cpp
var Services embed.FS
