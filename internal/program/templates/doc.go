// Package templates fills in what stands for values of one start in the words of a user: {port}, {dir}, {socket}.
package templates
