// Command programs generates the examples of a provider's schema: for each program in Pulumi's configuration language
// (*.pp) of a folder, the same program in every other language. Usage: go run ./programs SCHEMA FOLDER
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var languages = map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
	"csharp":     dotnet.GenerateProgram,
	"go":         golang.GenerateProgram,
	"java":       java.GenerateProgram,
	"python":     python.GenerateProgram,
	"typescript": nodejs.GenerateProgram,
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(schemaFile, folder string) error {
	loader, err := readPackage(schemaFile)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.pp"))
	if err != nil {
		return err
	}
	for _, file := range files {
		for language, generate := range languages {
			code, err := convert(file, loader, generate)
			if err != nil {
				return fmt.Errorf("%s in %s: %w", file, language, err)
			}
			if err := os.WriteFile(strings.TrimSuffix(file, "pp")+language, code, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// convert binds the program again for each language, because generators change it.
func convert(
	file string, loader schema.Loader, generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error),
) ([]byte, error) {
	source, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	parser := syntax.NewParser()
	if err := parser.ParseFile(source, filepath.Base(file)); err != nil {
		return nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, pcl.Loader(loader))
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	generated, diagnostics, err := generate(program)
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	if len(generated) != 1 {
		return nil, errors.New("the generator did not write a single file")
	}
	for _, code := range generated {
		return code, nil
	}
	return nil, nil
}

// onlyPackage is a loader that contains only one package.
type onlyPackage struct{ pkg *schema.Package }

func readPackage(file string) (schema.ReferenceLoader, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, err := schema.ImportSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	return onlyPackage{pkg}, nil
}

func (l onlyPackage) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != l.pkg.Name {
		return nil, fmt.Errorf("there is only the package %s, not %s", l.pkg.Name, name)
	}
	return l.pkg, nil
}

func (l onlyPackage) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(wanted.Name, wanted.Version)
}

func (l onlyPackage) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l onlyPackage) LoadPackageReferenceV2(
	_ context.Context, wanted *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(wanted.Name, wanted.Version)
}
