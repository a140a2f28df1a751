// Renders the templates of a chart with text/template and the functions that they use. Standard input has the folder of
// the templates and the values, as JSON. Standard output gets the documents, each file after a line with ---.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"
)

type input struct {
	Folder  string
	Values  map[string]any
	Chart   map[string]any
	Release map[string]any
}

func functions(all *template.Template) template.FuncMap {
	indent := func(count int, text string) string {
		space := strings.Repeat(" ", count)
		return space + strings.ReplaceAll(text, "\n", "\n"+space)
	}
	return template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		// JSON is YAML too.
		"toYaml": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"quote":      func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"indent":     indent,
		"nindent":    func(count int, text string) string { return "\n" + indent(count, text) },
		"trunc":      func(length int, text string) string { return text[:min(length, len(text))] },
		"trimSuffix": func(suffix, text string) string { return strings.TrimSuffix(text, suffix) },
		"hasPrefix":  func(prefix, text string) bool { return strings.HasPrefix(text, prefix) },
		"int":        func(value float64) int { return int(value) },
		"add":        func(one, other int) int { return one + other },
		"fail":       func(message string) (string, error) { return "", errors.New(message) },
		"default": func(other, value any) any {
			if truth, _ := template.IsTrue(value); truth {
				return value
			}
			return other
		},
		"dict": func(pairs ...any) map[string]any {
			made := map[string]any{}
			for at := 0; at+1 < len(pairs); at += 2 {
				made[pairs[at].(string)] = pairs[at+1]
			}
			return made
		},
	}
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func render(given input) (string, error) {
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(functions(all))
	files, err := filepath.Glob(filepath.Join(given.Folder, "*"))
	if err != nil {
		return "", err
	}
	if all, err = all.ParseFiles(files...); err != nil {
		return "", err
	}
	sort.Strings(files)
	var out bytes.Buffer
	for _, file := range files {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		out.WriteString("---\n")
		data := map[string]any{"Values": given.Values, "Chart": given.Chart, "Release": given.Release}
		if err := all.ExecuteTemplate(&out, filepath.Base(file), data); err != nil {
			return "", err
		}
		out.WriteString("\n")
	}
	return out.String(), nil
}

func main() {
	var given input
	err := json.NewDecoder(os.Stdin).Decode(&given)
	if err == nil {
		var text string
		if text, err = render(given); err == nil {
			fmt.Print(text)
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
