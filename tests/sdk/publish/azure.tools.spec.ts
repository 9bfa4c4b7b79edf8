import assert from "node:assert/strict";
import { randomBytes, createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ContainerSASPermissions } from "@azure/storage-blob";
import { AzureTarget, type AzureCredentials, type PublishRequest } from "@pulumi-static-export/sdk/publish";
import { startPassingProxy } from "../support/passing-proxy.js";
import { accountKey, container, useAzurite } from "./support/azurite-server.js";
import { type Site, SiteFixture } from "./support/site-fixture.js";

const first: Site = {
    "index.html": "<h1>Home</h1>",
    "guide/naïve page.html": "ä",
    "guide/it's (new)!*%.html": "special",
    "guide/intro.md": "# Intro",
    "site.0a1b2c3d.css": "body {}",
    "empty.txt": "",
};

describe("Publishing to Azure Blob Storage", () => {
    const azurite = useAzurite();
    const signal = new AbortController().signal;
    let fixture: SiteFixture;
    let target: AzureTarget;

    beforeEach(async () => {
        fixture = await SiteFixture.create();
        target = await open();
    });
    afterEach(() => fixture.remove());

    const open = (credentials: AzureCredentials = { accountKey }, endpoint = azurite().endpoint, name = container) =>
        AzureTarget.open({ container: name, prefix: "docs/", endpoint }, credentials, {});
    const publish = (site: Site, request: Partial<PublishRequest> = {}, to = target) =>
        fixture.publish(site, request, to);
    async function live(): Promise<Site> {
        const keys = (await azurite().keys()).filter((key) => !key.startsWith("docs/.static-export/"));
        const read = async (key: string) => [key.replace("docs/", ""), await azurite().read(key)] as const;
        return Object.fromEntries(await Promise.all(keys.map(read)));
    }
    const sasToken = async (permissions: string) => {
        const expiresOn = new Date(Date.now() + 3_600_000);
        const rights = { permissions: ContainerSASPermissions.parse(permissions), expiresOn };
        return new URL(await azurite().client.generateSasUrl(rights)).search;
    };

    it("stores each file with its type and cache time", async () => {
        await publish(first, { cacheControl: "max-age=60" });
        assert.deepEqual(await live(), first);
        const page = await azurite().head("docs/guide/naïve page.html");
        assert.deepEqual([page.contentType, page.cacheControl], ["text/html; charset=utf-8", "max-age=60"]);
        const asset = await azurite().head("docs/site.0a1b2c3d.css");
        assert.deepEqual(
            [asset.contentType, asset.cacheControl],
            ["text/css; charset=utf-8", "public, max-age=31536000, immutable"],
        );
    });

    it("updates headers when they change, without uploading the files", async () => {
        await publish(first, { jobId: "se_1" });
        const { sentFiles, copiedFiles } = await publish({}, { jobId: "se_1", cacheControl: "no-store" });
        assert.deepEqual([sentFiles, copiedFiles], [0, 5]);
        assert.equal((await azurite().head("docs/index.html")).cacheControl, "no-store");
        assert.deepEqual(await live(), first);
    });

    it("sets the correct headers on a file that moves or comes back", async () => {
        await publish(first, { jobId: "se_1", keep: 1 });
        const { "guide/intro.md": moved, ...rest } = first;
        await publish({ ...rest, "index.html": "new", "intro.txt": moved! }, { jobId: "se_2", keep: 1 });
        assert.equal((await azurite().head("docs/intro.txt")).contentType, "text/plain; charset=utf-8");
        const { sentFiles } = await publish({}, { jobId: "se_1", keep: 1 });
        assert.equal(sentFiles, 0);
        assert.deepEqual(await live(), first);
        assert.equal((await azurite().head("docs/index.html")).contentType, "text/html; charset=utf-8");
    });

    it("streams a large file, and stores no file that changed while being published", async () => {
        const content = randomBytes(9 * 1024 * 1024);
        const localPath = join(fixture.folder, "film.mp4");
        await writeFile(localPath, content);
        const digest = createHash("sha256").update(content).digest("hex");
        const headers = JSON.stringify({ contentType: "video/mp4", cacheControl: "no-cache" });
        const file = { digest, sizeBytes: content.length, headers };
        await target.send("film.mp4", localPath, file, signal);
        const { contentLength, contentType } = await azurite().head("docs/film.mp4");
        assert.deepEqual([contentLength, contentType], [content.length, "video/mp4"]);
        const changed = target.send("other.mp4", localPath, { ...file, digest: "0".repeat(64) }, signal);
        await assert.rejects(changed, /was changed while it was published: publish again/);
        assert.deepEqual(await azurite().keys(), ["docs/film.mp4"]);
    });

    it("publishes, copies and removes files with a shared access signature", async () => {
        const signed = await open({ sasToken: await sasToken("rcwdl") });
        await publish(first, { jobId: "se_1", keep: 1 }, signed);
        await publish({ "index.html": "new" }, { jobId: "se_2", keep: 1 }, signed);
        assert.deepEqual(await live(), { "index.html": "new" });
        const { sentFiles } = await publish({}, { jobId: "se_1", keep: 1 }, signed);
        assert.deepEqual([sentFiles, await live()], [0, first]);
    });

    it("returns to an earlier release although the account's firewall refuses copies", async () => {
        const { origin, pathname } = new URL(azurite().endpoint);
        const firewall = await startPassingProxy(origin, (_path, headers) =>
            headers.some((name) => name.toLowerCase() === "x-ms-copy-source") ? 403 : undefined,
        );
        try {
            const behind = await open(undefined, firewall.endpoint + pathname);
            await publish(first, { jobId: "se_1", keep: 1 }, behind);
            await publish({ "index.html": "new" }, { jobId: "se_2", keep: 1 }, behind);
            const { sentFiles } = await publish({}, { jobId: "se_1", keep: 1 }, behind);
            assert.deepEqual([sentFiles, await live()], [0, first]);
        } finally {
            firewall.close();
        }
    });

    it("names the missing permissions without showing the signature", async () => {
        const token = await sasToken("rl");
        const signature = new URLSearchParams(token).get("sig")!;
        await assert.rejects(publish(first, {}, await open({ sasToken: token })), ({ message, cause }: Error) => {
            assert.match(
                message,
                /^az:\/\/\$web\/docs\/: Put Blob failed \(Authorization\w+, HTTP 403.*Blob Data Contrib/,
            );
            assert.ok(![message, String(cause)].some((text) => text.includes(signature) || text.includes("sig=")));
            return true;
        });
    });

    it("reports a wrong key without showing it", async () => {
        const wrong = Buffer.from("s3cr3t-of-nobody-at-all").toString("base64");
        await assert.rejects(publish(first, {}, await open({ accountKey: wrong })), ({ message }: Error) => {
            assert.match(message, /HTTP 403.*The key or the shared access signature (is|may be) wrong/);
            assert.ok(!message.includes(wrong) && !message.includes("\n"), message);
            return true;
        });
        await assert.rejects(open({ accountKey: "not a key" }), ({ message }: Error) => {
            assert.match(message, /key is not valid: copy the whole key/);
            return !message.includes("not a key:");
        });
    });

    it("names the container and the remedy if the container does not exist", async () => {
        const missing = await open(undefined, undefined, "no-such-container");
        await assert.rejects(
            publish(first, {}, missing),
            /^StorageError: az:\/\/no-such-container\/docs\/: Get Blob failed \(ContainerNotFound.*Create the container/,
        );
    });

    it("requires an account, and rejects an endpoint that contains a signature without showing the signature", async () => {
        await assert.rejects(
            AzureTarget.open({ container, prefix: "" }, { accountKey }, {}),
            /storage account is not known.* AZURE_STORAGE_ACCOUNT/,
        );
        const named = await AzureTarget.open({ container, prefix: "" }, { accountKey }, { AZURE_STORAGE_ACCOUNT: "a" });
        assert.equal(named.address, "az://$web/");
        const signed = "https://a.blob.core.windows.net/?sv=2024&sig=s3cr3t";
        await assert.rejects(
            open(undefined, signed),
            ({ message }: Error) => /AZURE_STORAGE_SAS_TOKEN/.test(message) && !message.includes("s3cr3t"),
        );
    });

    it("retries a request if the storage was too busy", async () => {
        const refused = new Set<string>();
        const { origin, pathname } = new URL(azurite().endpoint);
        const busy = await startPassingProxy(origin, (url) => {
            if (!url.includes("/guide/") || refused.has(url)) {
                return undefined;
            }
            refused.add(url);
            return 503;
        });
        try {
            await publish(first, {}, await open(undefined, busy.endpoint + pathname));
            assert.deepEqual(await live(), first);
            assert.equal(refused.size, 3);
        } finally {
            busy.close();
        }
    });
});
