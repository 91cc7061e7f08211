// Package quantity writes the values of a profile with their units.
package quantity
