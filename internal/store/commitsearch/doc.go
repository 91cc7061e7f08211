// Package commitsearch has the document of a search for the commit that changed a measure.
package commitsearch
