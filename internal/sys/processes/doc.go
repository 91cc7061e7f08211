// Package processes lists the processes of this machine, and those below one of them.
package processes
