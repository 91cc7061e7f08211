// Package symbol says what the names in a profile mean: the frames of a stack, the package of a function, whether it is
// the user's, the runtime's, the collector's or hone's own, and what the compiler's name of a closure tells.
package symbol
