/* global window */
// Finds passages in the index of an export. The index consists of many small scripts, because a page on disk may load
// scripts but may not fetch files. Each script calls staticExportSearch(name, value). Must be bundled.
import { excerptOf, placedTerms, SearchIndex } from "../../contract/src/search/index.ts";

const values = new Map();
const loading = new Map();

window.staticExportSearch = (name, value) => values.set(name, value);

window.staticExportWords = placedTerms;

window.staticExportExcerpt = excerptOf;

/**
 * @param load loads the script with a name
 * @param scope the number of the part of the site to search
 */
window.staticExportSearchIndex = (load, scope) =>
    new SearchIndex(async (name) => {
        if (!values.has(name)) {
            if (!loading.has(name)) {
                loading.set(name, load(name));
            }
            await loading.get(name).finally(() => loading.delete(name));
        }
        return values.get(name);
    }, scope);
