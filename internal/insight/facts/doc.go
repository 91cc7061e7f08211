// Package facts is what is known of one run, before any rule judges it: a View has its profiles as stacks, where its
// requests waited, its counters, and the source of its program (package code).
//
// An Account is what one function of the user's spends on something: its own time, that of what it calls, and the
// collector's work for what it allocates. A Wait is a part of the wall time of requests, a Statement one of SQL.
// Questions that take a stack and the source of its functions are answered here, too: what a loop does again and
// again, what comes with a request, what is kept.
//
//   - view.go, numbers.go, growth.go, recorded.go: the view, and how tests keep one
//   - read.go, stack.go, kernel.go, allocated.go: from profiles to stacks, with their costs
//   - account.go: what a cause costs; groups.go: what is held at a moment
//   - wait.go, wait_name.go, latency.go, traced.go, statements.go, locks.go: what requests wait for, and what a trace
//     disturbs
//   - routes.go: which targets of the load a cost belongs to
//   - loops.go, streams.go, kept.go, same.go, request.go, running.go, fills.go, openings.go, references.go, starts.go:
//     questions about stacks and their source
package facts
