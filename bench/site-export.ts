/**
 * How long a site of many pages takes: from nothing, with nothing changed, with one page changed, and to pack.
 *
 *     npx tsx bench/site-export.ts [pages]
 *
 * CPU time stands beside wall time, because the first does not depend on what else the machine does.
 */
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createBundle, exportSite } from "../service/src/site/index.js";

const pagesOfAGroup = 40;
const pageCount = Number(process.argv[2] ?? 2000);

const folder = await mkdtemp(join(tmpdir(), "bench-site-"));
try {
    const siteDir = join(folder, "site");
    const outDir = join(folder, "out");
    const cacheDir = join(folder, "cache");
    const bytes = await writeSite(siteDir);
    console.log(`${pageCount} pages, ${(bytes / 1e6).toFixed(1)} MB of Markdown, Node ${process.version}`);

    const run = (cached: boolean) => async () => {
        await rm(outDir, { recursive: true, force: true });
        const site = { siteDir, outDir, domain: "docs.example.com" };
        const { reusedCount } = await exportSite(cached ? { ...site, cacheDir } : site);
        return `${pageCount - reusedCount} rendered`;
    };
    await measure("from nothing, first run of the process", run(false));
    await measure("from nothing, warm", run(false));
    await measure("from nothing, filling the cache", run(true));
    await measure("nothing changed", run(true));
    await appendFile(join(siteDir, "group-0/page-1.md"), "\nOne more sentence.\n");
    await measure("one page changed", run(true));
    await measure("packing", async () => {
        const { sizeBytes } = await createBundle(outDir, join(folder, "bundle.tar.gz"));
        return `${(sizeBytes / 1e6).toFixed(1)} MB`;
    });
} finally {
    await rm(folder, { recursive: true, force: true });
}

async function measure(name: string, work: () => Promise<string>): Promise<void> {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const cpu = process.cpuUsage();
    const startedMs = performance.now();
    delay.enable();
    const note = await work();
    delay.disable();
    const wallMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(cpu);
    const figures = [wallMs, (user + system) / 1e3, delay.max / 1e6].map((ms) => `${ms.toFixed(0)} ms`.padStart(9));
    console.log(`${name.padEnd(40)} wall ${figures[0]}  cpu ${figures[1]}  longest block ${figures[2]}  ${note}`);
}

async function writeSite(siteDir: string): Promise<number> {
    let bytes = 0;
    const write = async (file: string, content: string) => {
        bytes += content.length;
        await writeFile(join(siteDir, file), content);
    };
    await mkdir(siteDir, { recursive: true });
    await write("index.md", "# Home\n");
    for (let page = 1; page < pageCount; page += 1) {
        const group = `group-${Math.floor(page / pagesOfAGroup)}`;
        if (page === 1 || page % pagesOfAGroup === 0) await mkdir(join(siteDir, group), { recursive: true });
        await write(`${group}/page-${page}.md`, pageText(page));
    }
    return bytes;
}

/** What pages of a reference look like: prose with links, lists, and by turns code and tables. */
function pageText(page: number): string {
    const other = (page * 7) % pageCount || 1;
    const link = `/group-${Math.floor(other / pagesOfAGroup)}/page-${other}`;
    const sections = Array.from({ length: 8 }, (_, index) => {
        const code = `\`\`\`ts\nimport { x${page} } from "y";\n\nexport const value = await x${page}({ n: ${index} });\n// done\n\`\`\``;
        const table = `| Name | Type | Meaning |\n|---|:-:|--:|\n| a${page} | \`string\` | ~~old~~ new |\n| b | number | ${index} |`;
        return [
            `## Section ${index} of ${page}`,
            `Lorem ipsum dolor sit amet, **consectetur** elit, see [page ${other}](${link}#section-1) and https://example.com/${page}.`,
            `- one \`inline\`\n- two\n- [x] three`,
            index % 2 === 0 ? code : table,
        ].join("\n\n");
    });
    return `---\ntitle: Page ${page}\ndescription: About ${page}.\n---\n\n${sections.join("\n\n")}\n`;
}
