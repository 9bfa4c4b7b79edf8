/* global window */
// Finds passages in the index of an export. The index consists of many small scripts, because a page on disk may load
// scripts but may not fetch files. Each script calls staticExportSearch(name, value). Must be bundled.
import { excerptOf, placedTerms, SearchIndex } from "../../contract/src/search/index.ts";

const values = new Map();
const loading = new Map();

window.staticExportSearch = (name, value) => values.set(name, value);

window.staticExportWords = placedTerms;

window.staticExportExcerpt = excerptOf;

/** Whether the scopes that were loaded first are outdated. */
let isRefreshed = false;

/**
 * @param load loads the script with a name, past all caches if the second argument is true
 * @param scope the number of the part of the site to search
 */
window.staticExportSearchIndex = (load, scope) => {
    const ofScope = `${scope}/scope`;
    const index = new SearchIndex(async (name) => {
        if (!values.has(name)) {
            if (!loading.has(name)) {
                loading.set(name, load(name, isRefreshed && name.endsWith("/scope")));
            }
            await loading.get(name).finally(() => loading.delete(name));
        }
        return values.get(name);
    }, scope);
    /** Takes the latest version of the index if there is one, because the host may not have the files of the last. */
    const refresh = async () => {
        const before = values.get(ofScope);
        await load(ofScope, true);
        const after = values.get(ofScope);
        if (before === undefined || after.version === before.version) {
            return false;
        }
        isRefreshed = true;
        [...values.keys()].filter((name) => name.endsWith("/scope")).forEach((name) => values.delete(name));
        values.set(ofScope, after);
        return true;
    };
    /** @param renew called if there is another version, before the second attempt */
    const orInLatest = async (use, renew = () => Promise.resolve()) => {
        try {
            return await use();
        } catch (error) {
            if (!(await refresh())) {
                throw error;
            }
            await renew();
            return use();
        }
    };
    return {
        open: () => index.open(),
        find: (query, options) =>
            orInLatest(async () => {
                let found = await index.find(query, options);
                const findAgain = async () => (found = await index.find(query, options));
                return { ...found, more: (from) => orInLatest(() => found.more(from), findAgain) };
            }),
    };
};
