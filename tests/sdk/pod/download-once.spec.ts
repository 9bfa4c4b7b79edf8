import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { downloadOnce } from "../../../sdk/src/pod/download-once.js";
import { PodError } from "../../../sdk/src/pod/pod-error.js";
import { readPodSettings } from "../../../sdk/src/pod/pod-settings.js";
import { rejectionOf } from "../support/client.js";
import { archive, send } from "../support/download.js";
import { withFolder } from "../support/files.js";
import { loseConnection, neverAnswer, type Reply, text, withServer } from "../support/http-server.js";

const environment = { EXPORT_ID: "e", MAX_BUNDLE_MIB: "1", MAX_SITE_MIB: "1", MAX_FILES: "1" };

/** @returns why a download over this link does not succeed */
async function failureOf(link: string, { into = "bundle", seconds = "60" } = {}): Promise<PodError> {
    return withFolder(async (folder) => {
        await writeFile(join(folder, "bundle-url"), link);
        const settings = readPodSettings({ ...environment, SECRET_DIR: folder, ATTEMPT_TIMEOUT_SECONDS: seconds });
        return rejectionOf<PodError>(downloadOnce(join(folder, into), settings));
    });
}

async function failureFrom(reply: Reply, options?: { into?: string; seconds?: string }): Promise<PodError> {
    let error: PodError | undefined;
    await withServer([reply], async ({ baseUrl }) => {
        error = await failureOf(`${baseUrl}/x?signature=s3cr3t`, options);
    });
    assert.ok(error instanceof PodError, String(error));
    assert.doesNotMatch(error.message, /s3cr3t/);
    return error;
}

describe("A download of the pods' program", () => {
    it("accepts a link with white space around it", async () => {
        await withServer([send(archive)], async ({ baseUrl }) => {
            await withFolder(async (folder) => {
                await writeFile(join(folder, "bundle-url"), `\n ${baseUrl}/x\n`);
                const settings = readPodSettings({ ...environment, SECRET_DIR: folder });
                const { host, sizeBytes } = await downloadOnce(join(folder, "bundle"), settings);
                assert.deepEqual([host, sizeBytes], [new URL(baseUrl).host, archive.length]);
            });
        });
    });

    for (const [what, link] of [
        ["no address", "bundle"],
        ["two addresses", "https://a.example.com/ https://b.example.com/"],
        ["an address behind other words", "x https://a.example.com/"],
        ["an address of a file", "file:///etc/passwd"],
        ["a user", "https://user@a.example.com/"],
        ["a password", "https://:password@a.example.com/"],
        ["a backslash", "https://a.example.com\\x"],
        ["letters that are not ASCII", "https://a.example.com/é"],
    ]) {
        it(`refuses ${what} as its link, without showing it`, async () => {
            const { message, isTransient } = await failureOf(link!);
            assert.equal(
                message,
                "staticExport.bundleUrl is not an http(s) address (not shown: it is a secret). " +
                    "The address must have no user name and no white space.",
            );
            assert.equal(isTransient, false);
        });
    }

    for (const [status, says] of [
        [400, "the bundle link was refused"],
        [401, "the bundle link was refused"],
        [403, "the bundle link has expired or was withdrawn"],
        [404, "the bundle does not exist"],
        [410, "the bundle link has expired or was withdrawn"],
    ] as const) {
        it(`says for ${status} that ${says}, and how to renew it`, async () => {
            const { message, isTransient } = await failureFrom(text(status, ""));
            assert.match(message, new RegExp(`^HTTP ${status} from 127.*: ${says}.*pulumi up --refresh.*BundleMirror`));
            assert.equal(isTransient, false);
        });
    }

    it("may succeed later if the storage has an error", async () => {
        const { message, isTransient } = await failureFrom(text(503, ""));
        assert.match(message, /^HTTP 503 from 127.*: the storage did not deliver the bundle\.$/);
        assert.equal(isTransient, true);
    });

    it("ends with an unknown status", async () => {
        const { message, isTransient } = await failureFrom(text(418, ""));
        assert.match(message, /^HTTP 418 from 127.* instead of the bundle\.$/);
        assert.equal(isTransient, false);
    });

    it("may succeed later if it was interrupted before anything had arrived", async () => {
        const { message, isTransient } = await failureFrom(loseConnection);
        assert.match(message, /^The download from 127\.0\.0\.1:\d+ was interrupted\.$/);
        assert.equal(isTransient, true);
    });

    it("may succeed later if it takes too long", async () => {
        const { message, isTransient } = await failureFrom(neverAnswer, { seconds: "0.05" });
        assert.match(message, /^The download from 127.* timed out\. See fetch\.attemptTimeoutSeconds\.$/);
        assert.equal(isTransient, true);
    });

    it("may succeed later if the disk does not accept it", async () => {
        const { message, isTransient } = await failureFrom(send(archive), { into: "missing/bundle" });
        assert.equal(message, "The bundle could not be written to disk (ENOENT). See siteVolumeSizeLimit.");
        assert.equal(isTransient, true);
    });

    it("names the limit that a larger bundle exceeds", async () => {
        const { message, isTransient } = await failureFrom(send(Buffer.concat([archive, Buffer.alloc(1024 * 1024)])));
        assert.match(
            message,
            /is larger than fetch\.limits\.bundleMiB \(1 MiB\)\. Raise the limit if that is expected\./,
        );
        assert.equal(isTransient, false);
    });

    it("is refused if it leads to another scheme", async () => {
        const { message, isTransient } = await failureFrom(text(302, "", { location: "ftp://a.example.com/" }));
        assert.match(message, /^The download from 127.* is refused: .*\. Check the storage behind the link\.$/);
        assert.equal(isTransient, false);
    });

    for (const [what, link, says] of [
        [
            "a name that does not exist",
            "http://a..b/x",
            "The host name of a..b cannot be resolved. Check DNS and the NetworkPolicy.",
        ],
        [
            "a port where nobody listens",
            "http://127.0.0.1:9/x",
            "No connection to 127.0.0.1:9. Check networkPolicy.egressTo and egressPorts.",
        ],
        [
            "an address without a route",
            "http://255.255.255.255/x",
            "No connection to 255.255.255.255. Check networkPolicy.egressTo and egressPorts.",
        ],
    ]) {
        it(`may succeed later if it leads to ${what}`, async () => {
            const { message, isTransient } = await failureOf(link!);
            assert.deepEqual([message, isTransient], [says, true]);
        });
    }

    it("ends if the proxy cannot be used", async () => {
        const before = process.env.http_proxy;
        process.env.http_proxy = "ftp://proxy.example.com";
        try {
            const { message, isTransient } = await failureOf("http://a.example.com/x");
            assert.equal(
                message,
                "The request to a.example.com could not be made. Check the proxy settings in fetch.extraEnv.",
            );
            assert.equal(isTransient, false);
        } finally {
            if (before === undefined) {
                delete process.env.http_proxy;
            } else {
                process.env.http_proxy = before;
            }
        }
    });
});
