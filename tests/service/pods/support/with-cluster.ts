import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { type PodSettings } from "../../../../service/src/pods/pod-settings.js";
import { KubernetesApi } from "../../../../service/src/pods/kubernetes-api.js";
import { PodBuilder } from "../../../../service/src/pods/pod-builder.js";
import { readSiteBuild } from "../../../../service/src/builds/site-build.js";
import { withFolder } from "../../../sdk/support/files.js";
import { FakeKubernetes, type Fate } from "./fake-kubernetes.js";

export const settings: PodSettings = {
    image: "registry.example.com/builders:1",
    transferImage: "registry.example.com/static-export:1",
    secretEnv: { NPM_TOKEN: { name: "builds", key: "npm" } },
    containers: { imagePullPolicy: "IfNotPresent", securityContext: { allowPrivilegeEscalation: false } },
    main: {
        resources: { requests: { cpu: "500m" } },
        env: [
            { name: "HTTPS_PROXY", value: "http://docs:pr0xy%20word@proxy" },
            { name: "GIT_CONFIG_COUNT", value: "1" },
            { name: "GIT_CONFIG_KEY_0", value: "user.name" },
            { name: "GIT_CONFIG_VALUE_0", value: "Operator" },
        ],
    },
    metadata: { labels: { "app.kubernetes.io/component": "builds" } },
    pod: { runtimeClassName: "gvisor", securityContext: { runAsNonRoot: true } },
    ttlSecondsAfterFinished: 300,
};
const logger = { info: () => undefined, error: () => undefined };
const times = { pollMs: 20, maxWaitMs: 30_000, maxStuckMs: 100, logMs: 2000 };

interface Built {
    files: string[] | undefined;
    error: string;
    lines: string[];
    read: (file: string) => string | undefined;
}

interface Given {
    build?: object;
    signal?: AbortSignal;
    onLine?: (line: string) => void;
}

/** A cluster with a worker, whose builds end as `fate` decides. */
export async function withCluster(
    fate: Fate | undefined,
    use: (cluster: FakeKubernetes, build: (command: string, given?: Given) => Promise<Built>) => Promise<void>,
    { maxWaitMs = times.maxWaitMs, ...given }: { maxWaitMs?: number; settings?: PodSettings } = {},
): Promise<void> {
    await withFolder(async (folder) => {
        const cluster = await FakeKubernetes.start(folder, fate);
        const api = new KubernetesApi({ url: cluster.url, namespace: "docs", readToken: () => "account" });
        const dataDir = join(folder, "data");
        const options = { dataDir, settings, ...given, api, caches: join(dataDir, "build-caches"), logger };
        const builder = new PodBuilder({
            ...options,
            listen: { host: "127.0.0.1", port: await freePort() },
            env: { POD_NAME: "worker-1", NPM_TOKEN: "5ecret-value" },
            times: { ...times, maxWaitMs },
        });
        try {
            await use(cluster, (command, given) => buildSite(builder, command, given));
            assert.deepEqual(await readdir(join(dataDir, "builds")), [], "nothing is left");
        } finally {
            await builder.close();
            await cluster.stop();
        }
    });
}

async function buildSite(builder: PodBuilder, command: string, given: Given = {}): Promise<Built> {
    const { signal = new AbortController().signal, onLine } = given;
    const lines: string[] = [];
    const permission = readSiteBuild("docs.example.com", {
        ...{ command, outputFolder: "out", timeoutSeconds: 30 },
        ...given.build,
    });
    assert.ok(permission);
    return builder.withFolder("se_1", permission.limits, async (place) => {
        const checkout = join(place, "site");
        await mkdir(join(checkout, "docs"), { recursive: true });
        await mkdir(join(place, "repository"));
        await writeFile(join(checkout, "docs/run"), "#!/bin/sh\nmkdir -p out\necho built > out/index.html\n");
        await chmod(join(checkout, "docs/run"), 0o755);
        await symlink("run", join(checkout, "docs/link"));
        const add = (line: string) => void (lines.push(line), onLine?.(line));
        const request = { jobId: "se_1", folder: place, checkout, sourceDir: join(checkout, "docs"), signal };
        try {
            const cacheName = "docs.example.com";
            const output = await builder.run({ ...request, build: permission, cacheName, onLine: add });
            const texts = new Map<string, string>();
            const files = (await readdir(output, { recursive: true })).sort();
            for (const file of files) {
                await readFile(join(output, file), "utf8").then(
                    (text) => texts.set(file, text),
                    () => undefined,
                );
            }
            return { files, error: "", lines, read: (file) => texts.get(file) };
        } catch (error) {
            return { files: undefined, error: (error as Error).message, lines, read: () => undefined };
        }
    });
}
