// Package affinity says which CPUs processes may run on, divides them between load and program, and pins threads.
package affinity
