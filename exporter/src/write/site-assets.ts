import { type Audience, unionOf } from "../read/access/audience.js";
import { type SiteOutput } from "./output/site-output.js";
import { type PageWriter } from "./page-writer.js";
import { type SitePart } from "./site-part.js";

export interface WriteAssetsOptions {
    /** Everybody's first. */
    readonly parts: readonly [SitePart, ...SitePart[]];
    /** Files that pages use which are left out. */
    readonly ofLeftOut: ReadonlySet<string>;
    /** Style sheets that were written with other addresses. */
    readonly written: ReadonlyMap<string, string>;
    readonly outputFor: (audience: Audience) => SiteOutput;
    readonly yieldToEventLoop: () => Promise<void>;
}

/** Copies the site's files, each for the readers of all pages that use it; one that no page uses is for everybody. */
export async function writeAssets({ parts, ofLeftOut, written, ...options }: WriteAssetsOptions): Promise<void> {
    const [{ plan }] = parts;
    for (const file of [...plan.targets.assets].filter((each) => !written.has(each))) {
        const users = parts.filter(({ writer }) => uses(writer, file));
        const isLinked = users.some(({ writer }) => writer.linkedAssets.has(file));
        const isForAll = plan.styles.includes(file) || (users.length === 0 && !ofLeftOut.has(file));
        if ((plan.onlyWhenLinked.has(file) && !isLinked) || (users.length === 0 && !isForAll)) {
            continue;
        }
        const audience = isForAll ? undefined : users.map((part) => part.plan.audience).reduce(unionOf);
        await options.outputFor(audience).copy(file, plan.content.open(file));
        await options.yieldToEventLoop();
    }
}

function uses({ linkedAssets, importedFiles }: PageWriter, file: string): boolean {
    return linkedAssets.has(file) || importedFiles.has(file);
}
