import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { MirrorFixture } from "./mirror-fixture.js";
import { archiveOf } from "./platform-server.js";
import { credentials } from "./s3-server.js";

const hourMs = 3_600_000;

describe("BundleMirror credentials from outside the stack's configuration", () => {
    const environment = { ...process.env };
    let fixture: MirrorFixture;
    let folder: string;

    before(async function () {
        this.timeout(600_000);
        fixture = await MirrorFixture.start();
        fixture.credentials = undefined;
        fixture.clock.pass(Date.now() - fixture.clock.now());
    });
    after(() => fixture.stop());

    beforeEach(async () => {
        folder = await mkdtemp(path.join(tmpdir(), "ambient-credentials-"));
        for (const name of Object.keys(process.env).filter((each) => each.startsWith("AWS_"))) {
            delete process.env[name];
        }
        process.env.AWS_CONFIG_FILE = path.join(folder, "config");
        process.env.AWS_SHARED_CREDENTIALS_FILE = path.join(folder, "credentials");
        // Only the files and the environment may provide credentials.
        process.env.AWS_EC2_METADATA_DISABLED = "true";
        fixture.platform.serve(archiveOf(1000));
    });
    afterEach(async () => {
        for (const name of Object.keys(process.env)) {
            delete process.env[name];
        }
        Object.assign(process.env, environment);
        await rm(folder, { recursive: true });
    });

    /** Sets a profile that gets temporary keys from a program, as with single sign-on and roles. */
    const useProcess = async (expiresAtMs: number) => {
        const answer = {
            Version: 1,
            AccessKeyId: credentials.accessKeyId,
            SecretAccessKey: credentials.secretAccessKey,
            Expiration: new Date(expiresAtMs).toISOString(),
        };
        await writeFile(path.join(folder, "answer.json"), JSON.stringify(answer));
        await writeFile(
            path.join(folder, "config"),
            `[profile docs]\ncredential_process = cat ${folder}/answer.json\n`,
        );
        process.env.AWS_PROFILE = "docs";
    };
    const now = () => fixture.clock.now();
    const assertFetched = async (url: string) => {
        const response = await fetch(url);
        assert.equal(response.status, 200);
        assert.equal((await response.arrayBuffer()).byteLength, 1000);
    };

    it("come from the environment, and sign a link for the requested time", async () => {
        process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
        process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
        const { url, urlExpiresAt } = await fixture.create({ urlExpirySeconds: 7200 });
        await assertFetched(url);
        assert.equal(urlExpiresAt, new Date(now() + 2 * hourMs).toISOString());
    });

    it("are not shown in the error if the storage refuses them", async () => {
        process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
        process.env.AWS_SECRET_ACCESS_KEY = "wr0ng";
        const failure = await fixture.failure();
        assert.match(failure, /HTTP 403/);
        assert.doesNotMatch(failure, /wr0ng/);
    });

    it("may come from a profile's credential process, and the link expires with them", async () => {
        const expiresAtMs = Math.floor(now() / 1000) * 1000 + hourMs;
        await useProcess(expiresAtMs);
        const { url, urlExpiresAt } = await fixture.create({ urlExpirySeconds: 7200 });
        await assertFetched(url);
        assert.equal(urlExpiresAt, new Date(expiresAtMs).toISOString());
    });

    it("do not extend a link beyond the requested lifetime", async () => {
        await useProcess(now() + 3 * hourMs);
        const { urlExpiresAt } = await fixture.create({ urlExpirySeconds: 7200 });
        assert.equal(urlExpiresAt, new Date(now() + 2 * hourMs).toISOString());
    });

    it("are reported as missing if none exist", async () => {
        assert.match(await fixture.failure(), /Mirror of export se_42 at .*[Cc]redentials/);
    });
});
