import assert from "node:assert/strict";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileFailure } from "../../../sdk/src/publish/errors/storage-error.js";
import { SiteFixture } from "./support/site-fixture.js";

const failure = (code: string, syscall = "write") =>
    new FileFailure(Object.assign(new Error(`${code}: failed, ${syscall}`), { code, syscall }), "file:///srv/docs/")
        .message;

describe("A failure of the file system while a site is published", () => {
    for (const code of ["ENOSPC", "EDQUOT"]) {
        it(`names both disks that may be full: ${code}`, () => {
            const disks = `the disk of file:///srv/docs/, or on the disk for temporary files, ${tmpdir()}`;
            assert.ok(failure(code).includes(`Free space on ${disks}.`), failure(code));
        });
    }

    for (const [code, syscall, advice] of [
        ["EMFILE", "open", /Raise the limit of open files \(ulimit -n\)/],
        ["EFBIG", "write", /Raise the limit of file sizes \(ulimit -f\)/],
        ["ENOENT", "mkdir", /its disk is mounted read-only/],
        ["ENOENT", "open", /its name is not valid UTF-8/],
    ] as const) {
        it(`says what to do: ${code} of ${syscall}`, () => assert.match(failure(code, syscall), advice));
    }
});

describe("A site with an entry that is neither a file nor a folder nor a link", () => {
    it("is refused with the advice to remove the entry", async function () {
        if (process.platform === "win32") {
            this.skip();
        }
        const fixture = await SiteFixture.create();
        const server = createServer();
        try {
            const folder = await fixture.write({ "index.html": "home" });
            await once(server.listen(join(folder, "socket")), "listening");
            const published = fixture.publish({}, { openSite: () => Promise.resolve({ folder }) });
            await assert.rejects(published, /"socket" is not a file or folder: remove it\.$/);
        } finally {
            server.close();
            await fixture.remove();
        }
    });
});
