// Package subject is the measured program while it runs.
//
// A start has three types, each made of the one before: prepared, when the templates are filled in and the files made;
// running, under its guard; and Process, when it is ready. Stop ends a Process. What comes to be known on the way (that
// it has begun, that its main process has ended, that nothing is left) is in the event of that moment.
//
// Its parts are packages next to it: build makes the executable, guard is its parent and ends it, templates fill in its
// arguments, listeners find its ports, usage reads what it uses, output keeps what it writes, probeclient asks its
// probe, earlyend says what to do if it ended too early.
package subject
