import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { archive, site } from "../support/archives.js";
import { BundleServer } from "../support/bundle-server.js";
import { FetchPod, findProgram, type Image } from "../support/fetch-pod.js";

const busybox = await findProgram("busybox");
const images: Image[] = [
    { name: "GNU tools", downloader: "curl" },
    ...(busybox ? [{ name: "busybox", downloader: "curl", busybox } as const] : []),
];

for (const image of images) {
    describe(`documentation-site: file modification times with ${image.name}`, () => {
        let server: BundleServer;
        let pod: FetchPod;

        beforeEach(async () => {
            server = await BundleServer.start();
            pod = await FetchPod.create(image);
            await pod.writeSecret(server.link());
        });
        afterEach(async () => {
            server.stop();
            await pod.remove();
        });

        async function timesOf(content: Buffer): Promise<number[]> {
            server.serve(content);
            assert.equal((await pod.run()).exitCode, 0);
            const files = ["index.html", "guides/start.html", "assets/a name with spaces.svg"];
            const stats = await Promise.all(files.map((file) => stat(pod.path("site/public", file))));
            await pod.restartElsewhere();
            return stats.map(({ mtimeMs }) => mtimeMs / 1000);
        }

        it("are derived from the bundle's digest if all files share one time, so that ETags differ", async () => {
            const [one, same, other] = [
                await timesOf(await site("one")),
                await timesOf(await site("one")),
                await timesOf(await site("two")),
            ];
            assert.deepEqual(one, same);
            assert.equal(new Set(one).size, 1);
            assert.notDeepEqual(one, other);
        });

        it("are taken from the archive if they differ, so that an ETag changes only with its file", async () => {
            const entry = (name: string, seconds: number) => ({ name, content: name, mtime: new Date(seconds * 1000) });
            const times = async (seconds: readonly number[]) =>
                timesOf(
                    await archive([
                        entry("index.html", seconds[0] as number),
                        entry("guides/start.html", seconds[1] as number),
                        entry("assets/a name with spaces.svg", seconds[2] as number),
                    ]),
                );
            const [of2001, of2002, of1970] = [1_006_632_960, 1_020_000_000, 1];
            assert.deepEqual((await times([of2001, of2002, of1970])).slice(0, 2), [of2001, of2002]);
            const [one, two, three] = await times([of2001, of2001, of2002]);
            assert.deepEqual([one === two, one === of2001, three], [true, false, of2002]);
            assert.notEqual((await times([of2001, of2002, of1970]))[2], of1970);
        });
    });
}

describe("documentation-site: a bundle whose modification times cannot be set", () => {
    it("is refused, because browsers would show outdated pages", async () => {
        const server = await BundleServer.start();
        const pod = await FetchPod.create({ name: "GNU tools", downloader: "curl", without: "stat" });
        try {
            await pod.writeSecret(server.link());
            server.serve(await site("one"));
            const { exitCode, message } = await pod.run();
            assert.equal(exitCode, 1);
            assert.match(message, /modification times[^]*Use an image with stat/);
        } finally {
            server.stop();
            await pod.remove();
        }
    });
});
