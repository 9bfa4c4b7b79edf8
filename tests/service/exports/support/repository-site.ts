import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Builder, type BuildRequest } from "../../../../service/src/builds/builder.js";
import { readSiteBuild } from "../../../../service/src/builds/site-build.js";
import { type GitSource } from "../../../../service/src/exports/git-source.js";
import { type SiteCheckouts } from "../../../../service/src/exports/site-checkouts.js";
import { withQueue } from "../../support/running-queue.js";
import { domain } from "../../support/running-service.js";

export type Queue = Parameters<Parameters<typeof withQueue>[0]>[0];

export const update = { domain, projectId: "docs", startedBy: "api", isDone: false };
export const preview = { of: domain, branch: "next" };
export const previewed = "next.example.com";

export const repository: GitSource = { url: "https://git.example.com/acme/docs.git", branch: "main", folder: "docs" };
export const siteBuild = readSiteBuild("docs.example.com", true)!;

type Wanted = Parameters<SiteCheckouts["checkOut"]>[2];

/** The checkouts and builds of a site in a repository, without git and without processes. */
export class RepositorySite {
    /** The requests to git, in order. */
    readonly asked: object[] = [];
    readonly built: BuildRequest[] = [];
    /** The newest commit. */
    commit = "c1";
    /** The error of the next checkouts. */
    checkoutError: Error | undefined;
    /** The files of the documentation. */
    files: Readonly<Record<string, string>> = {};
    /** The build. @returns the name of the output folder */
    onBuild: (request: BuildRequest) => Promise<string> = () => Promise.resolve("out");

    readonly checkouts: Pick<SiteCheckouts, "checkOut" | "describe"> = {
        checkOut: async ({ branch }: GitSource, folder: string, { commit, historyCommits }: Wanted) => {
            this.asked.push({ branch, commit, historyCommits });
            if (this.checkoutError !== undefined) {
                throw this.checkoutError;
            }
            const [checkout, sourceDir] = [join(folder, "site"), join(folder, "site", "docs")];
            await mkdir(sourceDir, { recursive: true });
            for (const [name, text] of Object.entries(this.files)) {
                await writeFile(join(sourceDir, name), text);
            }
            return { commit: commit ?? this.commit, branch: branch ?? "main", checkout, sourceDir };
        },
        describe: (_source, _folder, { before }) => {
            this.asked.push({ before });
            return Promise.resolve({ author: "Ann", message: "Fix typos" });
        },
    };

    readonly builder: Builder = {
        // The folder is a link, as the temporary folder of some systems is.
        withFolder: async (_jobId, _limits, use) => {
            const folder = await realpath(await mkdtemp(join(tmpdir(), "build-")));
            const link = `${folder}-link`;
            await symlink(folder, link);
            try {
                return await use(link);
            } finally {
                await rm(link, { force: true });
                await rm(folder, { recursive: true });
            }
        },
        run: async (request) => {
            this.built.push(request);
            return join(request.folder, await this.onBuild(request));
        },
    };

    get parts() {
        return { checkouts: this.checkouts, builder: this.builder };
    }
}

/** Runs exports of a site in a repository, with a build or without one. */
export async function withRepository(
    use: (site: RepositorySite, queue: Queue) => Promise<void>,
    given: { build?: boolean; basePath?: string; parts?: NonNullable<Parameters<typeof withQueue>[1]>["parts"] } = {},
): Promise<void> {
    const site = new RepositorySite();
    const build = given.build === true ? { build: siteBuild } : {};
    await withQueue((queue) => use(site, queue), {
        site: { source: repository, basePath: given.basePath, ...build },
        parts: { ...site.parts, ...given.parts },
    });
}

/** Publishes a commit with an update. */
export async function publish({ store, attempts }: Queue, commit: string): Promise<void> {
    await store.createUpdate(update);
    const run = (await attempts.claim())!;
    await attempts.recordSource(run, commit);
    await attempts.complete(run, { pageCount: 1, sizeBytes: null, sha256: null });
}

/** Lets the export that runs next complete. @returns the finished job */
export async function completed({ store, queue, exporter, ended }: Queue, jobId: string) {
    await queue.startAlone();
    await (await exporter.nth(1)).complete();
    assert.equal(await ended(jobId), "completed");
    return (await store.get(jobId))!;
}

/** Waits until a job has failed. @returns its error */
export async function failed({ store, queue, ended }: Queue, jobId: string): Promise<string | null> {
    await queue.startAlone();
    assert.equal(await ended(jobId), "failed");
    return (await store.get(jobId))!.error;
}
