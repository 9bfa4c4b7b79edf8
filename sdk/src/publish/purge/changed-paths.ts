import { addressOf, everyPath } from "../site/address-of.js";

const maxPaths = 1000;
const maxAddresses = 100;

/** Merges the paths of several changes; returns only {@link everyPath} if the list would be long. */
export function mergePaths(...lists: readonly (readonly string[])[]): string[] {
    const all = new Set<string>();
    for (const list of lists) {
        for (const path of list) {
            all.add(path);
            if (path === everyPath || all.size > maxPaths) {
                return [everyPath];
            }
        }
    }
    return [...all];
}

/**
 * Returns the addresses, without a host, where a CDN may have changed files, including addresses without `.html` and
 * addresses of folders. For more than a hundred addresses, returns one pattern, because purging so many addresses would
 * cost more than loading the whole site again.
 */
export function addressesOf(paths: readonly string[]): string[] {
    const addresses = new Set<string>();
    for (const path of paths) {
        if (path === everyPath || addresses.size > maxAddresses) {
            return [everyPath];
        }
        const address = addressOf(path);
        addresses.add(address);
        addresses.add(address.replace(/\/index\.html$/, "/").replace(/\.html$/, ""));
        // Some hosts serve guide/index.html at /guide, too.
        addresses.add(address.replace(/(?<=[^/])\/index\.html$/, ""));
    }
    return addresses.size > maxAddresses ? [everyPath] : [...addresses];
}
