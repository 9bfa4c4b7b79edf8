import assert from "node:assert/strict";
import { bundleCases } from "../support/bundle-cases.js";
import { BundleServer } from "../support/bundle-server.js";
import { FetchPod, findProgram, type Image } from "../support/fetch-pod.js";
import { isLong } from "../../scale.js";

const busybox = await findProgram("busybox");
const images: Image[] = [
    { name: "GNU tools", downloader: "curl" },
    ...(busybox === undefined || !isLong ? [] : [{ name: "busybox", downloader: "curl", busybox } as const]),
];

for (const image of images) {
    describe(`The pods accept the same bundles as the sdk, with ${image.name}:`, function () {
        this.timeout(60_000);

        for (const { title, content, limits, refused } of bundleCases) {
            it(`${title} is ${refused ? "refused" : "served"}`, async () => {
                const server = await BundleServer.start();
                const pod = await FetchPod.create(image);
                try {
                    pod.environment = { MAX_SITE_MIB: `${limits.mebibytes}`, MAX_FILES: `${limits.entries}` };
                    await pod.writeSecret(server.link());
                    server.serve(await content());
                    const { exitCode, log, message } = await pod.run();
                    assert.equal(exitCode, refused ? 1 : 0, log);
                    assert.match(message, refused?.pods ?? /^$/);
                } finally {
                    server.stop();
                    await pod.remove();
                }
            });
        }
    });
}
