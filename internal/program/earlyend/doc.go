// Package earlyend says what a user can do for a program that ended before it was ready, by what it wrote.
package earlyend
