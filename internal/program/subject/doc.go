// Package subject is the measured program while it runs: started under a guard, ready, asked, and stopped.
//
// Its parts are packages next to it: build makes the executable, guard is its parent and ends it, templates fill in its
// arguments, listeners find its ports, usage reads what it uses, output keeps what it writes, probeclient asks its
// probe.
package subject
