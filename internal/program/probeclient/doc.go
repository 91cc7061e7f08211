// Package probeclient asks the probes in the processes of a program (package probe): profiles, traces, runtime/metrics.
package probeclient
