import { amount } from "@pulumi-static-export/contract";
import { PublishError } from "../errors/publish-error.js";
import type { Inventory } from "../records/inventory.js";
import { ownFolder } from "../records/site-record.js";
import { nameSome } from "../site/name-some.js";
import type { SiteReader } from "../targets/site-target.js";
import { folderOfRecord, InnerSites, refuseFilesOfOuterSites } from "./neighbours.js";

const maxStrangers = 1000;

/**
 * Looks at a place without a record, whose files may belong to somebody else.
 *
 * @returns whether the place has files, or other sites inside it
 * @throws PublishError if the place has files, unless the site adopts it
 */
export async function checkNewPlace(
    target: SiteReader,
    site: Inventory,
    adopts: boolean,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<boolean> {
    const inner = new InnerSites(target);
    let strangers: string[] = [];
    for await (const { path } of target.list(signal)) {
        const folder = folderOfRecord(path);
        if (folder !== undefined) {
            inner.add(folder);
            strangers = strangers.filter((each) => !each.startsWith(folder));
        } else if (!path.startsWith(ownFolder) && !inner.contains(path) && strangers.push(path) === maxStrangers) {
            break;
        }
    }
    const count = strangers.length;
    if (count === 0) {
        return !inner.isEmpty;
    }
    await refuseFilesOfOuterSites(target, undefined, signal);
    const replaced = strangers.filter((path) => site.has(path)).length;
    const number = `${count === maxStrangers ? "at least " : ""}${amount(count, "file", "files")}`;
    if (!adopts) {
        throw new PublishError(
            `${target.address} is not empty, and has no record of a published site. It has ${number} ` +
                `(${nameSome(strangers)}), of which the site would replace ${replaced}. Publish to another place, or adopt this one (--adopt, or ` +
                "adopt: true in a program). If you adopt it, the site's files replace those of the same name, and " +
                "all others stay.",
        );
    }
    if (count > replaced) {
        const others = `${count === maxStrangers ? "at least " : ""}${amount(count - replaced, "file does", "files do")}`;
        log(`${target.address}: ${others} not belong to the site, and will not be removed`);
    }
    return true;
}
