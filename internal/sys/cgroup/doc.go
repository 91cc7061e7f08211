// Package cgroup gives a process limits of CPU time and memory: a control group of its own, of version 1 or 2, in which
// it is from its first instruction on, and the kernel's counters of what the limits did to it.
//
// Version 1 is described in Documentation/admin-guide/cgroup-v1 of the kernel and
// Documentation/scheduler/sched-bwc.rst, version 2 in Documentation/admin-guide/cgroup-v2.rst. A controller may be in
// the one or the other; where both are mounted, version 1 has those that do something. Systems other than Linux have
// none.
package cgroup
