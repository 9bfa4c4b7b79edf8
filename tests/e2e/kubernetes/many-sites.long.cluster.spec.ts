import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureTool, run } from "@pulumi-static-export/toolchain";
import { waitUntil } from "../../wait-until.js";
import { Command } from "../../cli/support/command.js";
import { bucket, credentials, credentialVariables, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { edgeImage, loadEdgeImage } from "./support/edge-image.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";
import { Visitors } from "./support/visitors.js";

const chart = fileURLToPath(new URL("../../../charts/documentation-sites", import.meta.url));
const [docs, api] = ["docs.example.com", "api.example.com"];
const pageOf = (host: string, version: number) => `<h1>Version ${version} of ${host}</h1>`;

interface PodList {
    readonly items: { metadata: { deletionTimestamp?: string }; status: { podIP: string } }[];
}

/** Installs the chart as users do, with a bucket that the pods access with their own keys. */
describe("many sites of a bucket behind one edge server in a cluster", () => {
    const cluster = useSharedCluster();
    let storage: S3Server;
    let namespace: Namespace;
    let folder: string;
    let url: string;

    const helm = async (...args: string[]) => {
        const place = ["--namespace", namespace.name, "--kubeconfig", cluster().kubeconfig];
        return run(await ensureTool("helm"), [...args, ...place]);
    };
    const install = (values: object) => {
        const file = join(folder, "values.json");
        const settings = {
            image: edgeImage,
            replicaCount: 2,
            nginx: { keepaliveSeconds: 4, drainSeconds: 5 },
            bucket: {
                ...{ name: bucket, prefix: "sites/", endpoint: storage.endpoint, pathStyle: true },
                existingSecret: "bucket-keys",
            },
            ...values,
        };
        return writeFile(file, JSON.stringify(settings)).then(() =>
            helm("upgrade", "--install", "docs", chart, "--values", file, "--wait", "--timeout", "4m"),
        );
    };
    const publish = async (host: string, version: number) => {
        const site = await mkdtemp(join(folder, "site-"));
        await writeFile(join(site, "index.html"), pageOf(host, version));
        const to = ["--to", `s3://${bucket}/sites/${host}`, "--bucket-endpoint", storage.endpoint];
        const release = ["--switching", "releases", "--keep", "1"];
        const { exitCode, stderr } = await new Command(["publish", site, ...to, ...release], {
            cwd: folder,
            env: credentialVariables,
        }).exited;
        assert.equal(exitCode, 0, stderr);
    };
    const ask = (host: string, origin = url): Promise<{ status: number; text: string }> =>
        new Promise((resolve, reject) => {
            get(origin, { headers: { host }, agent: false }, (response) => {
                let text = "";
                response.setEncoding("utf8").on("data", (part: string) => (text += part));
                response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
            }).on("error", reject);
        });
    const serves = (host: string, version: number, origin?: string) =>
        waitUntil(
            `version ${version} of ${host}`,
            async () => (await ask(host, origin)).text === pageOf(host, version),
        );
    const findPods = async (): Promise<string[]> => {
        const selector = "--selector=app.kubernetes.io/name=documentation-sites";
        const { items } = JSON.parse(await namespace.kubectl("get", "pods", selector, "--output=json")) as PodList;
        const running = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const pods = running.map(({ status }) => `http://${status.podIP}:8080`);
        assert.equal(pods.length, 2);
        return pods;
    };

    before(async function () {
        this.timeout(10 * 60_000);
        folder = await mkdtemp(join(tmpdir(), "many-sites-"));
        await loadEdgeImage(cluster());
        storage = await S3Server.start(cluster().hostAddress);
        namespace = await Namespace.create(cluster(), "many-sites");
        const keys = { "access-key-id": credentials.accessKeyId, "secret-access-key": credentials.secretAccessKey };
        const literals = Object.entries(keys).map(([name, value]) => `--from-literal=${name}=${value}`);
        await namespace.kubectl("create", "secret", "generic", "bucket-keys", ...literals);
        await install({});
        url = await namespace.serviceUrl("docs-documentation-sites");
    });
    after(async () => {
        await storage?.stop();
        await namespace?.remove();
        await rm(folder, { recursive: true, force: true });
    });

    it("serve their pages as soon as they are published, and other hosts answer 404", async () => {
        assert.equal((await ask(docs)).status, 404);
        await publish(docs, 1);
        await publish(api, 1);
        // The first request makes one of the pods answer 404 for some more seconds.
        for (const pod of await findPods()) {
            await serves(docs, 1, pod);
        }
        await serves(api, 1);
        assert.equal((await ask("other.example.com")).status, 404);
    });

    it("pass helm test, whose pod reaches the bucket through the edge", async () => {
        assert.match(await helm("test", "docs", "--timeout", "2m"), /Succeeded/);
    });

    it("answer every request while a site receives a new release and while all pods are replaced", async () => {
        const contents = { first: { "/": pageOf(docs, 1) }, second: { "/": pageOf(docs, 2) } };
        const visitors = new Visitors(url, contents, ["/"], { ofEachKind: 2, pauseMs: 20, headers: { host: docs } });
        await publish(docs, 2);
        await serves(docs, 2);
        await install({ podAnnotations: { restarted: "yes" } });
        await waitUntil("visits of the new pods", () => Promise.resolve(visitors.answered.fresh > 50));
        const { failures, seen } = await visitors.leave();
        assert.deepEqual(failures, []);
        assert.deepEqual([...seen.keys()].sort(), ["/ first", "/ second"]);
    });

    it("serve cached pages while the bucket is down, and answer 503 for all other pages", async () => {
        const pods = await findPods();
        for (const pod of pods) {
            await serves(docs, 2, pod);
        }
        await storage.kill();
        for (const pod of pods) {
            assert.deepEqual(await ask(docs, pod), { status: 200, text: pageOf(docs, 2) });
            assert.equal((await ask("never.example.com", pod)).status, 503);
        }
        await storage.resume();
    });
});
