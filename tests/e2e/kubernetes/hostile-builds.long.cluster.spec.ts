import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hostileBuilds } from "../../service/builds/hostile/hostile-builds.js";
import { isLongest } from "../../scale.js";
import { waitUntil } from "../../wait-until.js";
import { endOf } from "../service/support/kill-parts.js";
import { builderImage, loadBuilderImage } from "./support/installed-service/builder-image.js";
import { addPython } from "./support/installed-service/python-in-image.js";
import { useInstalledService } from "./support/installed-service/use-installed-service.js";

const programs = join(import.meta.dirname, "../../service/builds/hostile");
const jobs = "/v1/static-export/jobs";
const neighbour = "neighbour.example.com";
const domainOf = (kind: string) => `${kind.replaceAll("_", "-")}.example.com`;

const memory = /used more than 300 MB of memory|code 137\. It may need more memory than 300 MB: raise/;
/** The limits that end builds in pods. Other builds hold what they took until they are cancelled. */
const ends: Readonly<Record<string, { limits: object; error: RegExp }>> = {
    ...Object.fromEntries(
        ["epoll", "system_v", "sockets", "memfd"].map((kind) => [
            kind,
            { limits: { memoryMegabytes: 300 }, error: memory },
        ]),
    ),
    threads: { limits: {}, error: /can't start new thread/ },
};
const cancelled = { limits: {}, error: /^Cancelled by/ };
/** Those that take no time from the specs that run next to them. */
const usual = ["epoll", "inotify", "open_files"];
const kinds = hostileBuilds.map(({ kind }) => kind).filter((kind) => isLongest || usual.includes(kind));

describe("A hostile build as a Job", function () {
    this.timeout(600_000);
    const service = useInstalledService(async (service, cluster) => {
        await loadBuilderImage(cluster, addPython);
        const names = ["hostile.py", "neighbour.py"];
        const files = await Promise.all(
            names.map(async (name) => [name, await readFile(join(programs, name), "utf8")]),
        );
        await service.git.commit(Object.fromEntries(files) as Record<string, string>);
        const source = `git+${service.git.url}#main`;
        const site = (command: string, limits: object) => ({
            source,
            build: { command: `python3 ${command}`, outputFolder: "out", ...limits },
        });
        await service.upgrade({
            sites: {
                [neighbour]: site("neighbour.py", {}),
                ...Object.fromEntries(
                    kinds.map((kind) => [domainOf(kind), site(`hostile.py ${kind}`, (ends[kind] ?? cancelled).limits)]),
                ),
            },
            builds: { enabled: true, image: builderImage, resources: { requests: { cpu: "50m", memory: "32Mi" } } },
            extraEnv: [],
        });
    });

    const start = async (domain: string): Promise<string> =>
        String((await service().answer("POST", jobs, { domain }))["jobId"]);

    /** Waits until a build has taken what it can, or has ended. */
    const holding = (jobId: string) =>
        waitUntil(
            `${jobId} holds what it took`,
            async () => {
                const { status } = await service().answer("GET", `${jobs}/${jobId}`);
                const log = await service()
                    .kubectl("logs", "-l", `static-export/job=${jobId}`, "-c", "build")
                    .catch(() => "");
                return status === "failed" || log.includes("took");
            },
            { withinMs: 180_000 },
        );

    /** How often the containers of the service have started again. */
    const restarts = () =>
        service().kubectl("get", "pods", "-l", "!static-export/job", "-o", "jsonpath={..restartCount}");

    for (const kind of kinds) {
        it(`that takes all it can of ${kind.replaceAll("_", " ")} ends itself only`, async () => {
            const { error } = ends[kind] ?? cancelled;
            const hostile = await start(domainOf(kind));
            await holding(hostile);
            const other = await endOf(service(), await start(neighbour));
            assert.equal(other["status"], "completed", JSON.stringify(other["error"]));
            if (error === cancelled.error) {
                await service().answer("DELETE", `${jobs}/${hostile}`);
            }
            const end = await endOf(service(), hostile);
            assert.match(String(end["error"]), error);
            const logs = await service().kubectl("logs", "-l", "app.kubernetes.io/component=worker", "--tail=-1");
            assert.match(logs, new RegExp(`${hostile} of ${domainOf(kind)} (?:failed|has stopped)`));
            assert.match(await restarts(), /^[0 ]+$/);
        });
    }
});
