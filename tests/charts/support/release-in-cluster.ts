import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { helm, type Manifest, objectsIn } from "./render-chart.js";

/** An object of the cluster, as the API server returns it. */
export interface LiveObject {
    readonly apiVersion: string;
    readonly kind: "ReplicaSet" | "Deployment" | "Secret" | "ConfigMap";
    readonly metadata: { readonly name: string; readonly [field: string]: unknown };
    readonly [field: string]: unknown;
}

/** The kinds that the charts render with few values, by version: helm refuses kinds that the cluster does not have. */
const kindsByVersion = {
    v1: ["Secret", "ConfigMap", "Service", "ServiceAccount"],
    "apps/v1": ["ReplicaSet", "Deployment"],
    "autoscaling/v2": ["HorizontalPodAutoscaler"],
    "batch/v1": ["Job"],
    "keda.sh/v1alpha1": ["ScaledObject"],
    "networking.k8s.io/v1": ["NetworkPolicy"],
    "policy/v1": ["PodDisruptionBudget"],
};

/** Answers the requests with which templates look up objects: the discovery, lists and single objects. */
export class ReleaseInCluster {
    readonly #server: Server;

    private constructor(objects: readonly LiveObject[]) {
        this.#server = createServer((request, response) => {
            const { pathname } = new URL(request.url ?? "/", "http://localhost");
            const body = answer(pathname, objects);
            response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
            response.end(JSON.stringify(body ?? { kind: "Status", apiVersion: "v1", status: "Failure", code: 404 }));
        });
    }

    /** Returns what `helm upgrade` would render in a cluster with these objects. */
    static async render(
        objects: readonly LiveObject[],
        values: object,
        chart?: string,
    ): Promise<Map<string, Manifest>> {
        const cluster = new ReleaseInCluster(objects);
        await new Promise<void>((resolve) => cluster.#server.listen(0, "127.0.0.1", resolve));
        try {
            const { port } = cluster.#server.address() as AddressInfo;
            const server = ["--dry-run=server", "--disable-openapi-validation", "--namespace", "docs"];
            const address = ["--kube-apiserver", `http://127.0.0.1:${port}`];
            const rendered = await helm(["template", "docs", "--skip-tests", ...server, ...address], values, chart);
            return new Map(objectsIn(rendered).map((each) => [`${each.kind}/${each.metadata.name}`, each]));
        } finally {
            cluster.#server.closeAllConnections();
            cluster.#server.close();
        }
    }
}

function answer(path: string, objects: readonly LiveObject[]): object | undefined {
    if (path === "/version") {
        return { major: "1", minor: "34", gitVersion: "v1.34.2" };
    }
    if (path === "/api") {
        return { kind: "APIVersions", versions: ["v1"] };
    }
    if (path === "/apis") {
        const groups = Object.keys(kindsByVersion)
            .filter((groupVersion) => groupVersion.includes("/"))
            .map((groupVersion) => {
                const [name, version] = groupVersion.split("/");
                return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
            });
        return { kind: "APIGroupList", apiVersion: "v1", groups };
    }
    const resourceOf = (kind: string) => `${kind.toLowerCase().replace(/y$/, "ie")}s`;
    for (const [groupVersion, kinds] of Object.entries(kindsByVersion)) {
        const prefix = groupVersion === "v1" ? "/api/v1" : `/apis/${groupVersion}`;
        if (path === prefix) {
            const verbs = ["get", "list"];
            const resources = kinds.map((kind) => ({ name: resourceOf(kind), kind, namespaced: true, verbs }));
            return { kind: "APIResourceList", groupVersion, resources };
        }
        for (const kind of kinds) {
            const items = objects.filter((object) => object.kind === kind);
            const list = `${prefix}/namespaces/docs/${resourceOf(kind)}`;
            if (path === list) {
                return { kind: `${kind}List`, apiVersion: groupVersion, metadata: {}, items };
            }
            const found = items.find(({ metadata }) => path === `${list}/${metadata.name}`);
            if (found !== undefined) {
                return found;
            }
        }
    }
    return undefined;
}
