import { type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, hostInUrl } from "@pulumi-static-export/toolchain";
import { end, startIdentityProvider } from "../../../../charts/access/support/sign-in.js";
import { privateCertificate } from "../../../../charts/support/private-certificate.js";
import { type Namespace } from "../namespace.js";

const configMap = "identity-provider";

/** An identity provider outside the cluster, with a private certificate that the service's pods trust. */
export class ProviderForPods {
    private constructor(
        private readonly folder: string,
        readonly issuer: string,
        private readonly child: ChildProcess,
    ) {}

    /** @param url - the public address of the service */
    static async start(namespace: Namespace, url: string): Promise<ProviderForPods> {
        const folder = await mkdtemp(join(tmpdir(), "provider-"));
        const address = namespace.cluster.hostAddress;
        const certificate = await privateCertificate(folder, address);
        await namespace.kubectl("create", "configmap", configMap, `--from-file=ca.crt=${certificate.file}`);
        const port = await freePort();
        const path = "/dashboard/sign-in/callback";
        const child = await startIdentityProvider(port, { address, url, path, certificate });
        return new ProviderForPods(folder, `https://${hostInUrl(address)}:${port}`, child);
    }

    /**
     * @param secret - with the client's secret
     * @param groups - what each group may do
     */
    valuesOf(secret: string, groups: object) {
        return {
            pages: { oidc: { issuer: this.issuer, clientId: "docs", existingSecret: secret, groups } },
            extraVolumes: [{ name: configMap, configMap: { name: configMap } }],
            extraVolumeMounts: [{ name: configMap, mountPath: "/etc/identity-provider", readOnly: true }],
            extraEnv: [{ name: "NODE_EXTRA_CA_CERTS", value: "/etc/identity-provider/ca.crt" }],
        };
    }

    async stop(): Promise<void> {
        await end(this.child);
        await rm(this.folder, { recursive: true });
    }
}
