/* global window */
// Splits texts and queries into words.
(() => {
    const mostLettersOfATerm = 32;
    /** Scripts that put no spaces between words; every two neighbouring characters are a term. */
    const unspaced =
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

    /** The words of a text, each with its place; as the export's `words.ts` finds them. */
    window.staticExportWords = (text) => {
        const words = [];
        const add = (from, to) => {
            const parts = text.slice(from, to);
            const term = fold(parts).slice(0, mostLettersOfATerm);
            if (term !== "") {
                words.push({ term, from, to });
            }
        };
        const addSpaced = (from, to) => {
            if (from < to) {
                add(from, to);
                const word = text.slice(from, to);
                for (const part of /[a-z][A-Z]/.test(word)
                    ? word.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g)
                    : []) {
                    add(from + part.index, from + part.index + part[0].length);
                }
            }
        };
        const addPairs = (from, run) => {
            const letters = [...run];
            let at = from;
            letters.forEach((letter, index) => {
                const next = letters[index + 1];
                if (next !== undefined || index === 0) {
                    add(at, at + letter.length + (next ?? "").length);
                }
                at += letter.length;
            });
        };
        for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
            let end = 0;
            for (const run of word.matchAll(unspaced)) {
                addSpaced(index + end, index + run.index);
                addPairs(index + run.index, run[0]);
                end = run.index + run[0].length;
            }
            addSpaced(index + end, index + word.length);
        }
        return words;
    };

    /** Case and accents do not matter. */
    function fold(text) {
        return text
            .toLowerCase()
            .normalize("NFD")
            .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, "")
            .normalize("NFC");
    }
})();
