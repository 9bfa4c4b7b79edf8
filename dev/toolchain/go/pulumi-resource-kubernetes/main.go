// The Kubernetes provider as a plugin of the Pulumi engine.
//
// The module's own main package cannot be built from the module proxy, because it embeds two files that its
// repository generates and does not commit. The build puts the sources of both files next to this file instead:
// see `embeds` of this tool in toolchain/src/cache/tools.ts.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

//go:embed schema.json
var pulumiSchema []byte

//go:embed terraform-mapping.json
var terraformMapping []byte

func main() {
	provider.Serve("kubernetes", version.Version, pulumiSchema, terraformMapping)
}
