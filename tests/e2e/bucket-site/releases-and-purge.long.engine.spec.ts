import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { kinds, secrets, SiteStack } from "./support/site-stack.js";

const access = '{\n  "formatVersion": 1,\n  "files": {\n    "a.html": ["staff"]\n  }\n}\n';
const jobs = {
    se_1: { "index.html": "home", "a.html": "a" },
    se_2: { "index.html": "new home", "a.html": "a" },
    se_3: { "index.html": "home", "a.html": "for the staff", "access.json": access },
};

for (const kind of kinds) {
    describe(`BucketSite ${kind}, with whole releases behind a CDN, on the real engine`, () => {
        let site: SiteStack;
        let cdn: Server;
        let cdnStatus = 503;
        const purges: { body: string; token: string | undefined }[] = [];
        let firstPrefix: string;

        const inputs = (more: object = {}) => {
            const url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/purge`;
            return { switching: "releases", purge: { webhook: { url } }, ...more };
        };
        const output = (name: string) => site.stack.output(name);
        const live = async () => ((await output("releasePrefix")) as string).replace(/^docs\//, "");

        before(async () => {
            cdn = createServer((request, response) => {
                let body = "";
                request.on("data", (chunk) => (body += String(chunk)));
                request.on("end", () => {
                    purges.push({ body, token: request.headers.authorization });
                    response.writeHead(cdnStatus).end();
                });
            });
            await once(cdn.listen(0, "127.0.0.1"), "listening");
            site = await SiteStack.create(kind, jobs);
        });
        after(async () => {
            await site.remove();
            cdn.close().closeAllConnections();
        });

        it("fails if the CDN fails, and then purges without uploading again", async () => {
            assert.match(await site.fail(inputs()), /could not be purged \(HTTP 503\)\. The site is live/);
            cdnStatus = 204;
            const { output: lines } = await site.up(inputs());
            assert.equal(await output("uploadedFiles"), 0);
            const [first, second] = purges;
            assert.deepEqual(second, first);
            assert.equal(first!.token, `Bearer ${secrets["static-export:purgeToken"]}`);
            for (const text of [lines, await site.stack.writtenText()]) {
                assert.ok(!text.includes(secrets["static-export:purgeToken"]), "the token is clear");
            }
            firstPrefix = await live();
            assert.equal(await site.page(`${firstPrefix}index.html`), "home");
        });

        it("switches to another release, purges the differences, and switches back without an upload", async () => {
            await site.up(inputs({ jobId: "se_2" }));
            assert.equal(await site.page(`${await live()}index.html`), "new home");
            assert.equal(await site.page(`${firstPrefix}index.html`), "home");
            assert.deepEqual(JSON.parse(purges.at(-1)!.body), { paths: ["/index.html", "/"] });
            await site.up(inputs({ jobId: "se_2", pin: "se_1" }));
            assert.deepEqual([await live(), await output("uploadedFiles")], [firstPrefix, 0]);
        });

        it("rejects private pages until access is set to edge", async () => {
            assert.match(await site.fail(inputs({ jobId: "se_3" })), /Not everybody may read 1 file of this site/);
            const keys = await site.s3.keys();
            assert.ok(!keys.some((key) => key.endsWith("access.json")), keys.join(" "));
            await site.up(inputs({ jobId: "se_3", access: "edge" }));
            assert.equal(await site.page(`${await live()}.static-export/access.json`), access);
            assert.deepEqual(JSON.parse(purges.at(-1)!.body), { paths: ["/*"] });
        });
    });
}
