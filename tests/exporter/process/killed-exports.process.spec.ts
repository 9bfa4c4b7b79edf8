import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExportControl, type ExportRequest, ProcessExporter } from "@pulumi-static-export/exporter";

/** The processes that this process has started. */
function children(): number[] {
    const ids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
    return ids === "" ? [] : ids.split(" ").map(Number);
}

describe("An export process that something outside kills", function () {
    this.timeout(60_000);
    let folder: string;
    let exporter: ProcessExporter;
    let earlier: readonly number[];

    before(async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        folder = await mkdtemp(join(tmpdir(), "killed-exports-"));
        await mkdir(join(folder, "site"));
        for (let page = 1; page <= 40; page += 1) {
            await writeFile(join(folder, "site", `page-${page}.md`), `# Page ${page}\n`);
        }
    });
    beforeEach(() => {
        earlier = children();
        exporter = new ProcessExporter({
            memoryMegabytes: 256,
            diskMegabytes: 100,
            jobTimeoutMs: 60_000,
            pageTimeoutMs: 60_000,
        });
    });
    afterEach(() => exporter?.close());
    after(() => rm(folder, { recursive: true, force: true }));

    async function request(name: string): Promise<ExportRequest> {
        const [workDir, cacheDir] = [join(folder, `${name}-work`), join(folder, `${name}-cache`)];
        await mkdir(workDir);
        await mkdir(cacheDir);
        return { domain: `${name}.example.com`, sourceDir: join(folder, "site"), excludedDirs: [], workDir, cacheDir };
    }

    /** Kills the exporter's processes at the first progress of a run, as often as asked. */
    function killing(times: number, seen: number[] = []): ExportControl {
        let killed = 0;
        return {
            signal: new AbortController().signal,
            onProgress: () => {
                const running = children().filter((id) => !earlier.includes(id));
                const isNew = running.some((id) => !seen.includes(id));
                seen.push(...running);
                if (isNew && killed < times) {
                    killed += 1;
                    running.forEach((id) => process.kill(id, "SIGKILL"));
                }
            },
        };
    }

    it("is replaced, and its export succeeds", async () => {
        const seen: number[] = [];
        const { pageCount } = await exporter.export(await request("once"), killing(1, seen));
        assert.equal(pageCount, 40);
        assert.equal(new Set(seen).size, 2);
    });

    it("fails its export the second time, and no page is blamed", async () => {
        await assert.rejects(exporter.export(await request("twice"), killing(2)), {
            name: "ExportError",
            message:
                /^The system or another program killed the export twice \(SIGKILL\), the second time while no other export ran/,
        });
    });
});
