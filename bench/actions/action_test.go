// Package actions tests the GitHub Actions in actions/: their shell steps are executed as a runner executes them, with
// real git repositories and a server instead of GitHub's API.
package actions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"
)

// repository is the root of hone's repository.
const repository = "../.."

// action is what the tests need of an action.yml.
type action struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Author      string `yaml:"author"`
	Branding    any    `yaml:"branding"`
	Inputs      map[string]struct {
		Description string `yaml:"description"`
		Required    bool   `yaml:"required"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Description string `yaml:"description"`
		Value       string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

// step is a step of a composite action, or of a workflow.
type step struct {
	Name  string            `yaml:"name,omitempty"`
	ID    string            `yaml:"id,omitempty"`
	If    string            `yaml:"if,omitempty"`
	Uses  string            `yaml:"uses,omitempty"`
	With  map[string]string `yaml:"with,omitempty"`
	Shell string            `yaml:"shell,omitempty"`
	Run   string            `yaml:"run,omitempty"`
	Env   map[string]string `yaml:"env,omitempty"`
	// Dir is where Run is executed: the workspace, if empty.
	Dir string `yaml:"working-directory,omitempty"`
}

// names are the actions of the repository.
var names = []string{"setup", "compare", "comment", "propose"}

// readAction reads an action.yml. A key that is not known here is an error.
func readAction(t *testing.T, name string) action {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "actions", name, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.UnmarshalWithOptions(text, &a, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a
}

// scope is what expressions see: values by their path, such as inputs.budget.
type scope map[string]string

// expand puts values instead of the ${{ }} of a text.
func (s scope) expand(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		expression, after, _ := strings.Cut(rest, "}}")
		value, err := s.evaluate(expression)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		fmt.Fprint(&b, value)
		text = after
	}
}

// evaluate computes an expression of GitHub, of the kinds that the actions use.
func (s scope) evaluate(expression string) (any, error) {
	node, err := actionlint.NewExprParser().Parse(actionlint.NewExprLexer(expression + "}}"))
	if err != nil {
		return nil, err
	}
	return s.value(node)
}

func (s scope) value(node actionlint.ExprNode) (any, error) {
	switch n := node.(type) {
	case *actionlint.StringNode:
		return n.Value, nil
	case *actionlint.ObjectDerefNode:
		path, err := pathOf(n)
		return s[path], err // as on GitHub, what is not there is empty
	case *actionlint.CompareOpNode:
		left, err := s.value(n.Left)
		if err != nil {
			return nil, err
		}
		right, err := s.value(n.Right)
		if err != nil {
			return nil, err
		}
		switch n.Kind {
		case actionlint.CompareOpNodeKindEq:
			return left == right, nil
		case actionlint.CompareOpNodeKindNotEq:
			return left != right, nil
		}
	}
	return nil, fmt.Errorf("the test does not know expressions such as %T", node)
}

// pathOf writes steps.measure.outputs.code as it stands in the expression.
func pathOf(node actionlint.ExprNode) (string, error) {
	switch n := node.(type) {
	case *actionlint.VariableNode:
		return n.Name, nil
	case *actionlint.ObjectDerefNode:
		receiver, err := pathOf(n.Receiver)
		return receiver + "." + n.Property, err
	}
	return "", fmt.Errorf("the test does not know paths such as %T", node)
}
