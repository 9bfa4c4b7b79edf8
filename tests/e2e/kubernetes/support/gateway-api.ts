import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGo, run } from "@pulumi-static-export/toolchain";

const crds = { module: "sigs.k8s.io/gateway-api@v1.4.0", sum: "h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ=" };

/** Returns the file that defines HTTPRoute, so that an API server can check routes. */
export async function httpRouteDefinition(): Promise<string> {
    // The checksum is compared here, so that no request to another server is needed.
    const env = { GONOSUMDB: "sigs.k8s.io/gateway-api", GOFLAGS: "-mod=mod", GOWORK: "off" };
    const go = await findGo(`the definitions of ${crds.module}`);
    const downloaded = await run(go, ["mod", "download", "-json", crds.module], { cwd: tmpdir(), env });
    const { Dir, Sum } = JSON.parse(downloaded) as { Dir: string; Sum: string };
    if (Sum !== crds.sum) {
        throw new Error(`${crds.module} has the sum ${Sum}, not ${crds.sum}`);
    }
    return join(Dir, "config", "crd", "standard", "gateway.networking.k8s.io_httproutes.yaml");
}
