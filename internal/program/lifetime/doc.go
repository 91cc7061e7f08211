// Package lifetime binds processes to the life of the hone that has started them: those that it runs itself end with
// it, and those that a killed hone has left are found by a mark in their environment, and ended.
package lifetime
