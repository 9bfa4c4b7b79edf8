// A language host that only generates packages, with the generators that are part of the engine's module. The hosts
// that the module proxy serves are older than `pulumi package gen-sdk` and do not support it. The engine finds this
// program under the name of the language's own host, which determines the language: pulumi-language-dotnet, -go, -java,
// -nodejs or -python.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type generator struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	name string
}

func (g *generator) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
}

func (g *generator) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.GeneratePackageResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)}
	if diagnostics.HasErrors() {
		return response, nil
	}
	files, err := g.generate(pkg, request, schema.NewCachedLoader(loader))
	if err != nil {
		return nil, err
	}
	return response, write(request.Directory, files)
}

func (g *generator) generate(
	pkg *schema.Package, request *pulumirpc.GeneratePackageRequest, loader schema.ReferenceLoader,
) (map[string][]byte, error) {
	switch language := strings.TrimPrefix(g.name, "pulumi-language-"); language {
	case "dotnet":
		http.DefaultTransport = noLogo{}
		return dotnet.GeneratePackage(g.name, pkg, request.ExtraFiles, request.LocalDependencies)
	case "go":
		return golang.GeneratePackage(g.name, pkg, request.LocalDependencies)
	case "java":
		return java.GeneratePackage(g.name, pkg, request.ExtraFiles, request.LocalDependencies, request.Local, false)
	case "nodejs":
		return nodejs.GeneratePackage(g.name, pkg, request.ExtraFiles, request.LocalDependencies, request.Local, loader)
	case "python":
		return python.GeneratePackage(g.name, pkg, request.ExtraFiles, loader)
	default:
		return nil, fmt.Errorf("there is no generator for %q here", language)
	}
}

// The generator for C# downloads a logo, which is not needed to compile the package.
type noLogo struct{}

func (noLogo) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: request}, nil
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	server := &generator{name: filepath.Base(os.Args[0])}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(registrar *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(registrar, server)
			return nil
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// The engine reads the port from the first line.
	fmt.Println(handle.Port)
	if err := <-handle.Done; err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
