import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { archive, type Entry, sha256 } from "../support/archives.js";
import { BundleServer } from "../support/bundle-server.js";
import { FetchPod, findProgram, type Image } from "../support/fetch-pod.js";

const busybox = await findProgram("busybox");
const images: Image[] = [
    { name: "GNU tools", downloader: "curl" },
    ...(busybox ? [{ name: "busybox", downloader: "curl", busybox } as const] : []),
];

const styles = (text: string) => `static-export/site.${sha256(Buffer.from(text)).slice(0, 8)}.css`;

for (const image of images) {
    describe(`documentation-site: files of earlier exports with a cache and ${image.name}`, () => {
        let server: BundleServer;
        let pod: FetchPod;

        beforeEach(async () => {
            server = await BundleServer.start();
            pod = await FetchPod.create(image);
            pod.environment.CACHE_DIR = pod.path("cache");
        });
        afterEach(async () => {
            server.stop();
            await pod.remove();
        });

        /** Fetches the next export of the site in another pod. */
        async function runExport(digit: string, entries: Entry[]): Promise<void> {
            pod.exportId = digit.repeat(64);
            await pod.writeSecret(server.link());
            await pod.restartElsewhere();
            server.serve(await archive([{ name: "index.html", content: digit }, ...entries]));
            const { exitCode, log } = await pod.run();
            assert.equal(exitCode, 0, log);
        }

        const readPublic = (file: string) => readFile(pod.path("site/public", file), "utf8");

        it("are served if they are styles or scripts of the theme", async () => {
            await runExport("1", [{ name: styles("old"), content: "old" }]);
            await runExport("2", [{ name: styles("new"), content: "new" }]);
            assert.equal(await readPublic(styles("old")), "old");
            assert.equal(await readPublic(styles("new")), "new");
            assert.equal(await readPublic("index.html"), "2");
        });

        it("are not served if they are damaged, have no digest, or are outside the theme's folder", async () => {
            const others = ["static-export/pages/0.js", styles("x").replace("static-export", "assets")];
            const otherFiles = others.map((name) => ({ name, content: "x" }));
            await runExport("1", [{ name: styles("old"), content: "old" }, ...otherFiles]);
            await writeFile(pod.path("cache/hashed", styles("old")), "damaged");
            await runExport("2", [{ name: styles("new"), content: "new" }]);
            for (const file of [styles("old"), ...others]) {
                await assert.rejects(readPublic(file), { code: "ENOENT" });
            }
        });
    });
}
