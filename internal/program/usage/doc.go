// Package usage reads what the processes of a program use: CPU time, memory, calls, switches, over processes that come
// and go.
package usage
