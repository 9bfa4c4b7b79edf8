import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AdminClient } from "@pulumi-static-export/sdk";
import { FolderTarget, S3Target, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import { BucketSiteLifecycle } from "../../../provider/src/bucket-site/lifecycle.js";
import type { BucketSiteInputs, BucketSiteState } from "../../../provider/src/bucket-site/model.js";
import { EngineWatch } from "../../../provider/src/engine/engine-watch.js";
import { PlatformServer } from "../bundle-mirror/platform-server.js";
import { credentials } from "../bundle-mirror/s3-server.js";
import { FakeClock } from "../../fake-clock.js";

/** Packs a site as a gzipped tar. */
export function bundleOf(site: Readonly<Record<string, string>>): Buffer {
    const folder = mkdtempSync(join(tmpdir(), "bucket-site-spec-"));
    try {
        for (const [path, content] of Object.entries(site)) {
            mkdirSync(dirname(join(folder, "site", path)), { recursive: true });
            writeFileSync(join(folder, "site", path), content);
        }
        execFileSync("tar", ["-czf", join(folder, "site.tar.gz"), "-C", join(folder, "site"), "."]);
        return readFileSync(join(folder, "site.tar.gz"));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** A site's lifecycle with a real platform server and a real target. */
export class BucketSiteFixture {
    readonly clock = new FakeClock();
    readonly lines: string[] = [];
    readonly platform: PlatformServer;
    readonly #bundles = new Map<string, Buffer>();
    /** Changes the target of the next call. */
    wrapTarget: (target: SiteTarget) => SiteTarget = (target) => target;
    /** The stack in Pulumi's requests; undefined if the resource is unknown. */
    stack: string | undefined = "production";
    readonly purged: (readonly string[])[] = [];
    cdnIsDown = false;

    private constructor(platform: PlatformServer) {
        this.platform = platform;
        platform.archive = (request, response) => {
            const jobId = /archives\/(\w+)\.tar/.exec(request.url ?? "")?.[1] ?? "";
            const bundle = this.#bundles.get(jobId);
            response.writeHead(bundle === undefined ? 404 : 200).end(bundle);
        };
    }

    static async start(): Promise<BucketSiteFixture> {
        return new BucketSiteFixture(await PlatformServer.start());
    }

    stop(): void {
        this.platform.stop();
    }

    serve(jobId: string, site: Readonly<Record<string, string>>): void {
        this.#bundles.set(jobId, bundleOf(site));
    }

    /** Creates the lifecycle of another process. */
    lifecycle(signal = new AbortController().signal): BucketSiteLifecycle {
        const { url: baseUrl } = this.platform;
        return new BucketSiteLifecycle({
            connect: () => ({ client: new AdminClient({ baseUrl, adminApiKey: "test_0123456789" }) }),
            openTarget: async ({ bucket, prefix = "", endpoint, folder = "" }) =>
                this.wrapTarget(
                    bucket === undefined
                        ? await FolderTarget.open(folder)
                        : await S3Target.open({ bucket, prefix, endpoint }, { ...credentials }),
                ),
            purge: (_purge, changedPaths) => {
                this.purged.push(changedPaths);
                return this.cdnIsDown ? Promise.reject(new Error("the CDN is down")) : Promise.resolve();
            },
            engine: new EngineWatch(undefined),
            clock: this.clock,
            log: (line) => this.lines.push(line),
            signal,
            identityOf: () =>
                this.stack === undefined
                    ? undefined
                    : { project: "docs", stack: this.stack, type: "BucketSite", name: "site" },
        });
    }

    async create(inputs: BucketSiteInputs): Promise<BucketSiteState> {
        return (await this.lifecycle().create(inputs)).outs as BucketSiteState;
    }

    async update(olds: BucketSiteState, news: BucketSiteInputs): Promise<BucketSiteState> {
        return (await this.lifecycle().update("id", olds, news)).outs as BucketSiteState;
    }
}
