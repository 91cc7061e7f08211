package deploy

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Every form has what GitHub asks of one: without it the form is not offered, and nothing else says so.
func TestIssueForms(t *testing.T) {
	files, err := filepath.Glob("../../.github/ISSUE_TEMPLATE/*.yml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if filepath.Base(file) == "config.yml" {
			continue
		}
		var form struct {
			Name        string   `json:"name"`
			Description string   `json:"description"`
			Labels      []string `json:"labels"`
			Body        []struct {
				Type       string `json:"type"`
				ID         string `json:"id"`
				Attributes struct {
					Label       string `json:"label"`
					Description string `json:"description"`
					Placeholder string `json:"placeholder"`
					Render      string `json:"render"`
					Value       string `json:"value"`
				} `json:"attributes"`
				Validations struct {
					Required bool `json:"required"`
				} `json:"validations"`
			} `json:"body"`
		}
		if err := yaml.UnmarshalStrict(read(t, "../.github/ISSUE_TEMPLATE/"+filepath.Base(file)), &form); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s lacks a name, a description or a body", file)
		}
		ids := map[string]bool{}
		for i, field := range form.Body {
			switch {
			case field.Type == "markdown" && field.Attributes.Value != "":
			case !slices.Contains([]string{"textarea", "input"}, field.Type), field.ID == "",
				field.Attributes.Label == "":
				t.Errorf("%s: field %d lacks a known type, an id or a label", file, i+1)
			case ids[field.ID]:
				t.Errorf("%s: two fields are called %s", file, field.ID)
			}
			ids[field.ID] = true
		}
	}
}

// Dependabot looks after every module of the repository.
func TestDependabotKnowsAllModules(t *testing.T) {
	var config struct {
		Updates []struct {
			Ecosystem   string   `json:"package-ecosystem"`
			Directories []string `json:"directories"`
		} `json:"updates"`
	}
	if err := yaml.Unmarshal(read(t, "../.github/dependabot.yml"), &config); err != nil {
		t.Fatal(err)
	}
	var known, there []string
	for _, u := range config.Updates {
		if u.Ecosystem == "gomod" {
			known = append(known, u.Directories...)
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "bin" ||
			strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.Name() == "go.mod":
			dir, _ := filepath.Rel("../..", filepath.Dir(path))
			there = append(there, strings.TrimSuffix("/"+filepath.ToSlash(dir), "."))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(known)
	slices.Sort(there)
	if !slices.Equal(known, there) {
		t.Errorf(".github/dependabot.yml has the modules %v, the repository %v", known, there)
	}
}
