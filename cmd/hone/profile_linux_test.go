package main

// rssUnit is what Rusage.Maxrss counts in (getrusage(2)).
const rssUnit = 1 << 10
