// Package workflows drafts the workflows by which GitHub and GitLab run hone: a gate for pull requests, and a nightly
// series. What they measure comes from config.Survey; the texts are the templates in drafts.
//
// A job that measures a pull request executes the code of a stranger. So it has no secret, and a token that may only
// read; the comment is written by a second workflow, which executes nothing of the pull request.
package workflows
