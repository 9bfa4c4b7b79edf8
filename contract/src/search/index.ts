export { byRank, upToThreeOfAPage, type SearchHit, type TextOfPassage } from "./section-scores.js";
export { excerptOf } from "./excerpt.js";
export {
    type IndexValues,
    pagesOfAVersionList,
    SearchIndex,
    type SearchResult,
    type SearchScope,
} from "./search-index.js";
export { listDigits, ListReader, pagesOfAGroup, passagesOfAPage } from "./passage-list.js";
export { termOf } from "./term-passages.js";
export { placedTerms, termsOf, wordPattern, type TermOfWord } from "./words.js";
