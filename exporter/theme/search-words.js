/* global window */
// Finds the words of texts and queries as the export does. Needs to be bundled.
import { termsOf, wordPattern } from "../dist/write/search/terms-of-word.js";

/** The terms of a text, each with its place. */
window.staticExportWords = (text) =>
    Array.from(text.matchAll(wordPattern)).flatMap(({ 0: word, index }) =>
        termsOf(word).map(({ term, from, to }) => ({ term, from: index + from, to: index + to })),
    );
