import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { MirrorFixture } from "./mirror-fixture.js";
import { archiveOf } from "./platform-server.js";

const mebibyte = 1024 * 1024;

describe("BundleMirror with hostile archives", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;

    beforeEach(async () => {
        fixture = await MirrorFixture.start();
    });
    afterEach(() => fixture.stop());

    it("refuses an archive whose size differs from the reported size, and stores nothing", async () => {
        fixture.platform.serve(archiveOf(12 * mebibyte));
        fixture.platform.sizeBytes = 13 * mebibyte;
        assert.match(await fixture.failure(), /12582912 bytes instead of 13631488/);
        assert.deepEqual(await fixture.s3.keys(), []);
    });

    it("stops an endless archive as soon as it exceeds the size that the platform reported", async () => {
        let sentBytes = 0;
        fixture.platform.archive = (_request, response) => {
            response.writeHead(200);
            const send = (): void => {
                for (let isReady = true; isReady && !response.destroyed;) {
                    const chunk = archiveOf(mebibyte);
                    sentBytes += chunk.length;
                    isReady = response.write(chunk);
                }
            };
            response.on("drain", send);
            send();
        };
        fixture.platform.sizeBytes = 12 * mebibyte;
        assert.match(await fixture.failure({ timeoutSeconds: 20 }), /has more than 12582912 bytes/);
        assert.ok(sentBytes < 64 * mebibyte, `${sentBytes} bytes were read`);
        assert.deepEqual(await fixture.s3.keys(), []);
    });

    it("copies an archive that expands endlessly, because the mirror does not unpack archives", async () => {
        const content = gzipSync(Buffer.alloc(64 * mebibyte));
        fixture.platform.serve(content);
        assert.equal((await fixture.create()).sizeBytes, content.length);
    });

    it("refuses any file other than an archive, and stores nothing", async () => {
        for (const page of ["<html>Sign in</html>", ""]) {
            fixture.platform.serve(Buffer.from(page));
            assert.match(await fixture.failure(), /Bundle refused/);
            assert.deepEqual(await fixture.s3.keys(), []);
        }
    });
});
