import { type ChildProcess } from "node:child_process";
import { stringify } from "yaml";
import { freePort } from "@pulumi-static-export/toolchain";
import { type Answer, type Ask, send } from "../../../../charts/access/support/private-pod.js";
import { end, startIdentityProvider } from "../../../../charts/access/support/sign-in.js";
import { BundleServer } from "../../../../charts/support/bundle-server.js";
import { Forwarder } from "../forwarder.js";
import { Namespace } from "../namespace.js";
import { type LocalCluster } from "../shared-cluster.js";
import { clusterValues, siteName } from "../site-stack.js";
import { follow, guideValues, installCommand, secretCommand } from "./follow-guide.js";
import { loadSignInImage, signInImage } from "./sign-in-image.js";

/** The secret that the identity provider expects. */
const clientSecret = "client-secret";

/** A site that is set up as in docs/guides/private-pages.md; its identity provider runs outside the cluster. */
export class SiteWithSignIn {
    /** The provider's address for pods and browsers. */
    readonly issuer: string;
    #identityProvider: ChildProcess | undefined;
    #target = new URL("http://127.0.0.1");

    private constructor(
        readonly namespace: Namespace,
        private readonly bundles: BundleServer,
        providerPort: number,
        private readonly forwarder: Forwarder,
    ) {
        this.issuer = `http://${namespace.cluster.hostAddress}:${providerPort}`;
    }

    static async install(cluster: LocalCluster, bundle: Buffer): Promise<SiteWithSignIn> {
        await loadSignInImage(cluster);
        const namespace = await Namespace.create(cluster, "private-pages");
        const bundles = await BundleServer.start(undefined, cluster.hostAddress);
        const forwarder = await Forwarder.start(() => site.#target);
        const site = new SiteWithSignIn(namespace, bundles, await freePort(), forwarder);
        try {
            await site.startProvider();
            await follow(secretCommand, namespace, { "client-secret": clientSecret });
            await site.serve(bundle, "first");
            site.#target = new URL(await namespace.serviceUrl(siteName()));
            return site;
        } catch (error) {
            await site.stop();
            throw error;
        }
    }

    /** The address at which readers open the site. */
    get url(): string {
        return this.forwarder.url;
    }

    /** Installs the chart, or upgrades the release; resolves when all pods of this version are ready. */
    async serve(bundle: Buffer, version: string): Promise<void> {
        this.bundles.serve(bundle);
        // A sign-in that begins in one pod may end in another.
        const ofCluster = {
            ...clusterValues(this.namespace.cluster),
            replicaCount: 2,
            access: { oidc: { image: signInImage } },
        };
        const files = {
            "values.yaml": guideValues(this.issuer, this.url),
            "cluster.yaml": stringify(ofCluster),
            "link.txt": this.bundles.link(),
        };
        const options = `--values cluster.yaml --set staticExport.version=${version}`;
        await follow(installCommand, this.namespace, files, options);
    }

    /** fetch would normalise the paths under test. */
    ask(path: string, asked?: Ask): Promise<Answer> {
        const { hostname, port } = new URL(this.url);
        return send({ hostname, port: Number(port) }, path, asked ?? {});
    }

    async startProvider(): Promise<void> {
        const { hostname: address, port } = new URL(this.issuer);
        this.#identityProvider = await startIdentityProvider(Number(port), { address, url: this.url });
    }

    async stopProvider(): Promise<void> {
        if (this.#identityProvider) {
            await end(this.#identityProvider);
        }
    }

    async stop(): Promise<void> {
        await this.namespace.remove();
        await this.stopProvider();
        this.forwarder.stop();
        this.bundles.stop();
    }
}
