import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Reply, withServer } from "../../sdk/support/http-server.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";

/** As S3 answers when the temporary credentials that signed a link have expired. */
const expired: Reply = (response) => response.writeHead(400).end("<Error><Code>ExpiredToken</Code></Error>");

describe("A link that temporary credentials have signed, refused before it expires,", () => {
    let platform: Platform;
    let stack: EngineStack;
    before(async () => {
        platform = await Platform.start();
        stack = await EngineStack.create({
            program: `export const { jobId, bundleUrl } = new StaticExportBundle("docs", { domain: "${domain}" });\n`,
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        await stack.up();
    });
    after(async () => {
        await stack?.remove();
        await platform?.stop();
    });

    /** Puts another link into the state. */
    async function setLink(link: string): Promise<void> {
        const file = join(stack.folder, "exported.json");
        const { stdout } = await stack.succeed("stack", "export", "--show-secrets");
        const current = JSON.stringify(/"plaintext": ("\\"http.*")/.exec(stdout)?.[1] ?? assert.fail(stdout));
        const given = JSON.stringify(JSON.stringify(JSON.stringify(link)));
        await writeFile(file, stdout.replaceAll(JSON.parse(current) as string, JSON.parse(given) as string));
        await stack.succeed("stack", "import", "--file", file);
    }

    it("is tested only by a refresh, and renewed by the update after it, without an export", async () => {
        await withServer([expired], async ({ baseUrl, requests }) => {
            const jobId = await stack.output("jobId");
            await setLink(`${baseUrl}/bundle.tar.gz?X-Amz-Security-Token=t&X-Amz-Expires=604800`);
            platform.requests.length = 0;
            assert.match((await stack.succeed("preview")).output, /2 unchanged/);
            assert.deepEqual([requests.length, platform.requests], [0, []]);

            assert.match((await stack.up()).output, /2 unchanged/);
            assert.equal(requests.length, 0);
            await stack.succeed("refresh", "--yes", "--skip-preview");
            assert.equal(requests.length, 1);
            await stack.up();
            assert.equal(await stack.output("jobId"), jobId);
            assert.equal(platform.count("start"), 0);
            assert.equal(platform.count("bundle"), 1);
            assert.match((await stack.up()).output, /2 unchanged/);
            assert.equal(requests.length, 1);
        });
    });
});
