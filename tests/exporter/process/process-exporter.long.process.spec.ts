import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { gunzipSync } from "node:zlib";
import { withFolder, withServiceOver } from "../../service/support/running-service.js";

async function writePages(folder: string, count: number): Promise<void> {
    await mkdir(join(folder, "site", "guides"), { recursive: true });
    for (let page = 1; page <= count; page += 1) {
        const text = `Some **text** with \`code\`.\n\n\`\`\`ts\nconst page = ${page};\n\`\`\`\n\n`;
        await writeFile(join(folder, "site", "guides", `page-${page}.md`), `# Page ${page}\n\n${text.repeat(20)}`);
    }
}

describe("The service with its own exporter", function () {
    // Starting threads and processes takes seconds while other specs run.
    this.timeout(60_000);

    it("exports a folder of Markdown into an archive of pages", async () => {
        await withFolder(async (folder) => {
            await writePages(folder, 2);
            await withServiceOver(folder, {}, async ({ start, reaches, link, service }) => {
                const jobId = await start({ version: "2026-11-01" });
                const { pageCount } = await reaches(jobId, "completed");
                assert.equal(pageCount, 3);
                const archive = await fetch(service.url + (await link(jobId)));
                const content = gunzipSync(Buffer.from(await archive.arrayBuffer())).toString();
                for (const file of ["index.html", "guides/page-1.html", "guides/page-2.html"]) {
                    assert.ok(content.includes(file), file);
                }
            });
        });
    });

    it("runs the code of pages within limits, in an engine that is loaded on demand", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "site", "code.mdx"), "# Code\n\n{[1, 2].map((n) => `made ${n * 21}`)}\n");
            await withServiceOver(folder, {}, async ({ start, reaches, link, service }) => {
                const jobId = await start();
                await reaches(jobId, "completed");
                const archive = await fetch(service.url + (await link(jobId)));
                assert.match(gunzipSync(Buffer.from(await archive.arrayBuffer())).toString(), /made 21made 42/);
            });
        });
    });

    it("completes a job even if pages contain mistakes, and reports each mistake with file and line", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "site", "guide.mdx"), "# Guide\n\n<Tipp>text</Tipp>\n\n[gone](/gone)\n");
            await withServiceOver(folder, {}, async ({ start, reaches }) => {
                const { warnings } = await reaches(await start(), "completed");
                assert.deepEqual(warnings, {
                    count: 2,
                    countByKind: { component: 1, link: 1 },
                    first: [
                        {
                            kind: "component",
                            file: "guide.mdx",
                            line: 3,
                            reason: "there is no component <Tipp> (did you mean <Tip>?); its content is shown instead",
                        },
                        {
                            kind: "link",
                            file: "guide.mdx",
                            line: 5,
                            reason: "the link /gone leads to no page and no file of this site",
                        },
                    ],
                });
            });
        });
    });

    it("does not block the request thread while rendering", async () => {
        await withFolder(async (folder) => {
            await writePages(folder, 200);
            let finished = (): void => undefined;
            const completed = new Promise<void>((resolve) => (finished = resolve));
            const logger = {
                info: (message: string) => (/completed/.test(message) ? finished() : undefined),
                error: (message: string) => assert.fail(message),
            };
            await withServiceOver(folder, { logger }, async ({ start }) => {
                const before = performance.eventLoopUtilization();
                await start();
                await completed;
                const { utilization } = performance.eventLoopUtilization(before);
                assert.ok(utilization < 0.5, `busy for ${Math.round(utilization * 100)} % of the time`);
            });
        });
    });
});
