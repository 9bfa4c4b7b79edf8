import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
    type Published,
    type PublishRequest,
    publishSite,
    type SiteTarget,
    type Unpublished,
    type UnpublishRequest,
    unpublishSite,
} from "@pulumi-static-export/sdk/publish";
import { type CreatePlace, inFolder, type Place } from "./places.js";

/** The files of a site by their paths. */
export type Site = Readonly<Record<string, string>>;

/** An empty target, sites in a new folder, and a clock that only the spec advances. */
export class SiteFixture {
    readonly logged: string[] = [];
    nowMs = Date.parse("2026-11-23T08:00:00Z");
    readonly folder: string;
    readonly place: Place;
    /** The number of times that a site was opened. */
    opened = 0;
    #sites = 0;

    private constructor(folder: string, place: Place) {
        this.folder = folder;
        this.place = place;
    }

    /** @param createPlace - creates the target, by default in a folder */
    static async create(createPlace: CreatePlace = inFolder): Promise<SiteFixture> {
        const folder = await mkdtemp(join(tmpdir(), "publish-spec-"));
        return new SiteFixture(folder, await createPlace(join(folder, "target")));
    }

    openTarget(): Promise<SiteTarget> {
        return this.place.open();
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true });
    }

    /** Writes a site into a new folder. */
    async write(site: Site): Promise<string> {
        const folder = join(this.folder, `site-${(this.#sites += 1)}`);
        for (const [path, content] of Object.entries(site)) {
            await mkdir(dirname(join(folder, path)), { recursive: true });
            await writeFile(join(folder, path), content);
        }
        return folder;
    }

    async publish(site: Site, request: Partial<PublishRequest> = {}, target?: SiteTarget): Promise<Published> {
        const folder = await this.write(site);
        return publishSite(target ?? (await this.openTarget()), {
            owner: "docs",
            switching: "files",
            keep: 0,
            graceSeconds: 0,
            openSite: () => {
                this.opened += 1;
                return Promise.resolve({ folder });
            },
            ...this.run(),
            ...request,
        });
    }

    async unpublish(request: Partial<UnpublishRequest> = {}, target?: SiteTarget): Promise<Unpublished> {
        return unpublishSite(target ?? (await this.openTarget()), { owner: "docs", ...this.run(), ...request });
    }

    /** The text of the site's record. */
    async record(): Promise<string> {
        const found = await (await this.openTarget()).read(".static-export/site.json", new AbortController().signal);
        return String(found?.content);
    }

    /** Replaces the latest record of a place below the target. */
    async editRecord(below: string, edit: (record: string) => string): Promise<void> {
        const own = new RegExp(`^${below}\\.static-export/(site|record-\\d+)\\.json$`);
        const path = (await this.place.paths()).filter((each) => own.test(each)).at(-1)!;
        await this.place.write(path, edit(await this.place.read(path)));
    }

    /** The properties of every request. */
    run() {
        return {
            signal: new AbortController().signal,
            log: (line: string) => this.logged.push(line),
            clock: {
                now: () => this.nowMs,
                sleep: (ms: number) => {
                    this.nowMs += ms;
                    return Promise.resolve();
                },
            },
        };
    }

    /** Returns the files below a folder of the target that readers get, without our records. */
    async live(below = ""): Promise<Site> {
        const all = (await this.place.paths()).filter((path) => path.startsWith(below));
        const paths = all.map((path) => path.slice(below.length)).filter((path) => !path.startsWith(".static-export/"));
        const contents = await Promise.all(paths.map((path) => this.place.read(below + path)));
        return Object.fromEntries(paths.map((path, index) => [path, contents[index]!]));
    }

    /** Returns the files that a web server delivers for the live release. */
    async served(): Promise<Site> {
        return this.live(await this.place.served());
    }
}

const writes = ["write", "writeRecord", "send", "copy", "remove", "switchTo"] as const;

/** Wraps a target so that it records every write in sequence, and can fail a write. */
export function watchTarget(
    target: SiteTarget,
    onWrite: (operation: (typeof writes)[number], path: string, signal: AbortSignal) => void | Promise<void>,
): SiteTarget {
    return new Proxy(target, {
        get(whole, name) {
            const value: unknown = name === "concurrency" ? 1 : Reflect.get(whole, name, whole);
            const operation = writes.find((each) => each === name);
            if (typeof value !== "function" || operation === undefined) {
                return typeof value === "function" ? (value.bind(whole) as unknown) : value;
            }
            return async (...values: unknown[]) => {
                const paths = operation === "copy" ? values[1] : operation === "writeRecord" ? "record" : values[0];
                const signal = values.find((each) => each instanceof AbortSignal)!;
                await onWrite(operation, String(paths), signal);
                return (value as (...all: unknown[]) => unknown).apply(whole, values);
            };
        },
    });
}
